import { type RefObject, useEffect, useRef, useState } from 'react';

interface Disclosure {
  isOpen: boolean;
  toggle: () => void;
  close: () => void;
  containerRef: RefObject<HTMLDivElement | null>;
}

/** A button that opens a short list of links. Escape, a click elsewhere, or leaving it with Tab closes the list. */
export function useDisclosure(): Disclosure {
  const [isOpen, setIsOpen] = useState(false);
  const containerRef = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isOpen) return undefined;
    function handleOutside(event: Event): void {
      if (event.target instanceof Node && !containerRef.current?.contains(event.target)) setIsOpen(false);
    }
    function handleKey(event: KeyboardEvent): void {
      if (event.key !== 'Escape') return;
      setIsOpen(false);
      containerRef.current?.querySelector('button')?.focus();
    }
    document.addEventListener('pointerdown', handleOutside);
    document.addEventListener('focusin', handleOutside);
    document.addEventListener('keydown', handleKey);
    return () => {
      document.removeEventListener('pointerdown', handleOutside);
      document.removeEventListener('focusin', handleOutside);
      document.removeEventListener('keydown', handleKey);
    };
  }, [isOpen]);

  return { isOpen, toggle: () => setIsOpen(!isOpen), close: () => setIsOpen(false), containerRef };
}
