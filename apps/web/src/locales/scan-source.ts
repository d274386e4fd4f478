// For the tests of the catalogues: the sentences in components and the keys that they use, read from their syntax
// trees.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';

export interface SourceFile {
  path: string;
  text: string;
}

/** Attributes whose text is shown or read out. */
const spokenAttributes = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'error',
  'hint',
  'label',
  'placeholder',
  'text',
  'title',
]);

/** Elements that contain code or a key cap, which are the same in every language. */
const codeElements = new Set(['code', 'kbd', 'pre', 'samp', 'script', 'style']);

const words = /\p{L}{2,}/u;

export function listSource(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

export interface Usage {
  literals: Set<string>;
  /** Template literals with placeholders, as regular expressions for keys. */
  patterns: RegExp[];
  /** Calls such as `pageMeta('auth', 'signIn')`. */
  pages: string[];
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

export function readUsage({ path, text }: SourceFile): Usage {
  const usage: Usage = { literals: new Set(), patterns: [], pages: [] };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') usage.literals.add(node.value);
    },
    TemplateLiteral(node) {
      const parts = node.quasis.map((quasi) => escape(quasi.value.cooked ?? ''));
      if (node.expressions.length > 0 && parts.some((part) => words.test(part))) {
        usage.patterns.push(new RegExp(`^${parts.join('[^:]+')}$`));
      }
    },
    CallExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'pageMeta') return;
      const [namespace, page] = node.arguments.map((argument) => (argument.type === 'Literal' ? argument.value : ''));
      usage.pages.push(`${String(namespace)}:pages.${String(page)}`);
    },
  }).visit(parseSync(path, text).program);
  return usage;
}

export function listHardCoded({ path, text }: SourceFile): string[] {
  const found: string[] = [];
  let codeDepth = 0;
  function report(said: unknown): void {
    if (codeDepth === 0 && typeof said === 'string' && words.test(said)) found.push(`${path}: ${said.trim()}`);
  }
  new Visitor({
    JSXElement(node) {
      const { name } = node.openingElement;
      if (name.type === 'JSXIdentifier' && codeElements.has(name.name)) codeDepth += 1;
      for (const child of node.children) {
        if (child.type === 'JSXText') report(child.value);
        if (child.type === 'JSXExpressionContainer') reportExpression(child.expression);
      }
    },
    'JSXElement:exit'(node) {
      const { name } = node.openingElement;
      if (name.type === 'JSXIdentifier' && codeElements.has(name.name)) codeDepth -= 1;
    },
    JSXFragment(node) {
      for (const child of node.children) {
        if (child.type === 'JSXText') report(child.value);
        if (child.type === 'JSXExpressionContainer') reportExpression(child.expression);
      }
    },
    JSXAttribute(node) {
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : '';
      if (!spokenAttributes.has(name) || !node.value) return;
      if (node.value.type === 'Literal') report(node.value.value);
      if (node.value.type === 'JSXExpressionContainer') reportExpression(node.value.expression);
    },
  }).visit(parseSync(path, text).program);

  function reportExpression(node: { type: string }): void {
    const expression = node as {
      type: string;
      value?: unknown;
      quasis?: { value: { cooked: string | null } }[];
      consequent?: { type: string };
      alternate?: { type: string };
      right?: { type: string };
    };
    if (expression.type === 'Literal') report(expression.value);
    if (expression.type === 'TemplateLiteral') for (const quasi of expression.quasis ?? []) report(quasi.value.cooked);
    if (expression.consequent) reportExpression(expression.consequent);
    if (expression.alternate) reportExpression(expression.alternate);
    if (expression.type === 'LogicalExpression' && expression.right) reportExpression(expression.right);
  }

  return found;
}
