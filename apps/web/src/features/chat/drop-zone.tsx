import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';

interface DropZoneProps {
  isOpen: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

/** Accepts files dropped anywhere on the chat. */
export function DropZone({ isOpen, onFiles, children }: DropZoneProps) {
  const { t } = useTranslation('chat');
  const [isOver, setIsOver] = useState(false);
  // `dragleave` also fires on entering a child, so a counter tells whether the pointer is still inside.
  const depth = useRef(0);

  function handleEnter(event: DragEvent): void {
    if (!isOpen || !hasFiles(event)) return;
    depth.current += 1;
    setIsOver(true);
  }

  function handleLeave(): void {
    depth.current = Math.max(0, depth.current - 1);
    if (depth.current === 0) setIsOver(false);
  }

  function handleDrop(event: DragEvent): void {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current = 0;
    setIsOver(false);
    const files = [...event.dataTransfer.files];
    if (isOpen && files.length > 0) onFiles(files);
  }

  return (
    <div
      onDragEnter={handleEnter}
      onDragLeave={handleLeave}
      onDragOver={handleOver}
      onDrop={handleDrop}
      className="relative flex min-h-0 grow flex-col"
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-3 z-10 flex flex-col items-center justify-center gap-3 rounded-card border-2 border-dashed border-accent bg-surface/90 text-accent">
          <Upload aria-hidden className="size-10" />
          <p className="text-subtitle font-semibold">{t('composer.drop')}</p>
        </div>
      )}
    </div>
  );
}

/** Dragged text keeps the browser's behaviour and drops into the field. */
function handleOver(event: DragEvent): void {
  if (hasFiles(event)) event.preventDefault();
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files');
}
