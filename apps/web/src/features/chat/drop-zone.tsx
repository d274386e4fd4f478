import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';

interface DropZoneProps {
  isOpen: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

/** The whole chat takes files that are dropped on it. */
export function DropZone({ isOpen, onFiles, children }: DropZoneProps) {
  const { t } = useTranslation('chat');
  const [isOver, setIsOver] = useState(false);
  // Entering a child leaves its parent: only the count knows whether the files are still above us.
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

/** Words that are dragged go into the field, as everywhere. */
function handleOver(event: DragEvent): void {
  if (hasFiles(event)) event.preventDefault();
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes('Files');
}
