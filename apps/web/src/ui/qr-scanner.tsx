import { CameraOff, ImageUp } from 'lucide-react';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { CustomButton } from './custom-button.tsx';
import { type QrContent, readQrInFile, readQrInFrame } from './read-qr-code.ts';

const SCAN_INTERVAL_MS = 200;

interface ScannerWords {
  /** Says where to point the camera. */
  hint: string;
  noCamera: string;
  choosePicture: string;
  /** Says that the picture contains no code. */
  nothing: string;
}

interface QrScannerProps {
  content: QrContent;
  words: ScannerWords;
  /** Whether a chosen picture fits into memory; other pictures are not decoded. */
  isDecodable: (picture: File) => Promise<boolean>;
  /** Returns whether it was the expected code; otherwise the camera continues to scan. */
  onCode: (code: Uint8Array) => boolean;
}

/** Reads a QR code with the camera, or from a picture where there is no camera. */
export function QrScanner({ content, words, isDecodable, onCode }: QrScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const [camera, setCamera] = useState<'starting' | 'on' | 'none'>('starting');
  const [isNothing, setIsNothing] = useState(false);
  const found = useRef(onCode);
  useEffect(() => {
    found.current = onCode;
  }, [onCode]);

  useEffect(() => {
    const controller = new AbortController();
    const { current: screen } = video;
    if (screen === null) return undefined;
    watchCamera(
      screen,
      content,
      () => setCamera('on'),
      (code) => found.current(code),
      controller.signal,
    ).catch(() => !controller.signal.aborted && setCamera('none'));
    return () => controller.abort();
  }, [content]);

  async function handleFile(event: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [picture] = event.target.files ?? [];
    // Allows the person to choose the same picture again.
    event.target.value = '';
    if (picture === undefined) return;
    setIsNothing(false);
    const isScanning = await isDecodable(picture);
    const code = isScanning ? await readQrInFile(picture, content).catch(() => undefined) : undefined;
    if (code === undefined || !onCode(code)) setIsNothing(true);
  }

  return (
    <div className="grid gap-3">
      <div className="relative aspect-square max-h-[50dvh] w-full overflow-hidden rounded-field bg-surface-2">
        <video ref={video} muted playsInline aria-hidden className="size-full object-cover" />
        {camera === 'on' && (
          <span aria-hidden className="absolute inset-[15%] rounded-card border-2 border-on-scrim opacity-80" />
        )}
        {camera === 'none' && (
          <p className="absolute inset-0 flex flex-col items-center justify-center gap-3 p-6 text-center text-muted">
            <CameraOff aria-hidden className="size-8" />
            {words.noCamera}
          </p>
        )}
      </div>
      <p role="status" className={isNothing ? 'text-danger' : 'text-muted'}>
        {isNothing ? words.nothing : camera === 'none' ? '' : words.hint}
      </p>
      <input
        ref={file}
        type="file"
        accept="image/*"
        hidden
        data-code-picture
        onChange={(event) => void handleFile(event)}
      />
      <CustomButton
        kind="secondary"
        isWide
        icon={<ImageUp aria-hidden className="size-5" />}
        onClick={() => file.current?.click()}
      >
        {words.choosePicture}
      </CustomButton>
    </div>
  );
}

async function watchCamera(
  screen: HTMLVideoElement,
  content: QrContent,
  onStart: () => void,
  onCode: (code: Uint8Array) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  const stop = () => stream.getTracks().forEach((track) => track.stop());
  if (signal.aborted) return stop();
  signal.addEventListener('abort', stop);
  screen.srcObject = stream;
  await screen.play();
  onStart();
  while (!signal.aborted) {
    const code = await readQrInFrame(screen, content);
    if (signal.aborted) return;
    if (code !== undefined && onCode(code)) return stop();
    await new Promise((resolve) => setTimeout(resolve, SCAN_INTERVAL_MS));
  }
}
