import type { MouseEvent } from 'react';
import { useChat } from '../chat-context.ts';
import type { DoubtfulLink } from './doubtful-link.ts';
import { isDeceptiveLink } from './is-deceptive-link.ts';

interface MessageLinkProps {
  href: string;
  text: string;
  className: string;
  onDoubt: (link: DoubtfulLink) => void;
}

/** A link in a message. Links from contacts open at once; deceptive links and links from strangers ask first. */
export function MessageLink({ href, text, className, onDoubt }: MessageLinkProps) {
  const { isStranger } = useChat();

  function handleOpen(event: MouseEvent): void {
    const doubt = isDeceptiveLink(href) ? 'deceptive' : isStranger ? 'stranger' : undefined;
    if (doubt === undefined) return;
    event.preventDefault();
    onDoubt({ href, doubt });
  }

  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
      onClick={handleOpen}
      // A middle click opens a link too.
      onAuxClick={(event) => event.button === 1 && handleOpen(event)}
    >
      {text}
    </a>
  );
}
