/** Information about the operator, for the page /privacy and security.txt. Read once from a file. */
import { readFileSync } from 'node:fs';
import { Locale } from '@dostar/protocol/contract/accounts';
import { z } from 'zod';

const Contact = z.string().regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/);

const Operator = z.strictObject({
  name: z.string().min(1).max(200).nullable().default(null),
  contacts: z.array(Contact).max(10).default([]),
  /** Plain text; an empty line begins a paragraph. */
  privacy: z.partialRecord(Locale, z.string().min(1).max(50_000)).default({}),
  /** For security.txt (RFC 9116). */
  security: z
    .strictObject({
      contacts: z.array(Contact).min(1).max(10),
      policy: z.url({ protocol: /^https$/ }).optional(),
      /** When the contacts have to be checked again. Without it, always half a year ahead. */
      expires: z.iso.date().optional(),
    })
    .optional(),
});
export type Operator = z.infer<typeof Operator>;

export function readOperator(file: string | undefined): Operator {
  const given: unknown = file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
  const parsed = Operator.safeParse(given);
  if (!parsed.success) throw new Error(`bad OPERATOR_FILE\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
