import type { ReactNode } from 'react';
import { MatchedText } from '../../../ui/matched-text.tsx';
import { useChat } from '../chat-context.ts';
import { findAll } from './find-all.ts';
import { MessageLink } from './message-link.tsx';
import { parseText, type TextNode } from './parse-text.ts';
import { useFindLinks } from './use-find-links.ts';

interface RichTextProps {
  text: string;
  /** Id of the message, for marking search matches. */
  mark: string;
}

/** Message text with links and formatting. The text itself decides its direction (`dir="auto"`). */
export function RichText({ text, mark }: RichTextProps) {
  const { marked } = useChat();
  const findLinks = useFindLinks(text);
  const words = marked?.id === mark ? marked.words : [];
  return (
    <span dir="auto" className="break-words whitespace-pre-wrap">
      {drawNodes(parseText(text, findLinks), words)}
    </span>
  );
}

// The nodes of a message never change their order, so the index can be the key.
function drawNodes(nodes: TextNode[], words: readonly string[]): ReactNode[] {
  return nodes.map((node, index) => <Node key={index} node={node} words={words} />);
}

function Node({ node, words }: { node: TextNode; words: readonly string[] }) {
  switch (node.kind) {
    case 'text':
      return words.length === 0 ? node.text : <MatchedText text={node.text} matches={findAll(node.text, words)} />;
    case 'link':
      return <InlineLink href={node.href} text={node.text} />;
    case 'code':
      return <code className="rounded-chip bg-current/8 px-1 font-mono text-small">{node.text}</code>;
    case 'block':
      return (
        <code className="my-1 block overflow-x-auto rounded-chip bg-current/8 p-2 font-mono text-small">
          {node.text}
        </code>
      );
    case 'bold':
      return <strong className="font-bold">{drawNodes(node.nodes, words)}</strong>;
    case 'italic':
      return <em>{drawNodes(node.nodes, words)}</em>;
    case 'struck':
      return <s>{drawNodes(node.nodes, words)}</s>;
  }
}

function InlineLink({ href, text }: { href: string; text: string }) {
  const { askAboutLink } = useChat();
  return (
    <MessageLink
      href={href}
      text={text}
      className="text-accent-strong underline underline-offset-2"
      onDoubt={askAboutLink}
    />
  );
}
