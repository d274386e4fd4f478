/** Makes the row of a message after decryption, successful or not. */
import { BlobId } from '@dostar/protocol/contract/blobs';
import { type Decoded, decodeContent, trimContent } from '@dostar/protocol/content/codec';
import { KIND_TRAITS, targetOf } from '@dostar/protocol/content/kinds';
import type { AccountId } from '@dostar/protocol/ids';
import { blobsOf } from '../../attachments/share.ts';
import type { AtRest } from '../../storage/at-rest.ts';
import type { Opened, Sealer } from '../../crypto/sealing/sealer.ts';
import { messageKey, type MessageRow } from '../../storage/rows.ts';
import { isSearchable } from '../store.ts';

interface Opening {
  sealer: Sealer;
  atRest: AtRest;
  account: AccountId;
  /** The message is not on the screen. */
  canWait: boolean;
}

/** Never throws because of another account's content: the row says why it could not be opened. */
export async function decryptRow(row: MessageRow & { body: Uint8Array }, opening: Opening): Promise<MessageRow> {
  const { sealer, atRest, account, canWait } = opening;
  const { chat, sender, id, at, body } = row;
  const opened = await sealer.open({ chat, sender, id, at, body, canWait });
  switch (opened.state) {
    case 'waiting': {
      const waitsFor = sealer.sessionOf(body);
      const { slot = row.pos, ...unplaced } = row;
      return {
        ...unplaced,
        todo: 'wait',
        waits: opened.reason,
        // Without a slot the chat hides the message: the person has not accepted the sender's identity.
        ...(opened.reason !== 'identity' && { slot }),
        ...(waitsFor !== undefined && { waitsFor }),
      };
    }
    case 'refused':
      return refuseRow(row, opened.reason);
    case 'open': {
      const decoded = decodeContent(row, opened.content);
      if (decoded.state === 'refused') return refuseRow(row, decoded.reason);
      const content = await atRest.close(messageKey(row), trimContent(opened.content));
      const trust = sender === account ? 'own' : opened.trust;
      return { ...applyContent(row, decoded, account), content, trust, sealedAt: sealedPositionOf(opened) };
    }
  }
}

/** A refused message keeps its place in the timeline, which shows that it was refused. */
export function refuseRow(row: MessageRow, refused: MessageRow['refused'] & string): MessageRow {
  return { ...withoutSeal(row), refused };
}

/** Decodes a message of an unknown kind again, after an update of the app. */
export async function redecodeRow(
  row: MessageRow,
  atRest: AtRest,
  account: AccountId,
): Promise<MessageRow | undefined> {
  const bytes = row.content && (await atRest.open(messageKey(row), row.content));
  const decoded = bytes && decodeContent(row, bytes);
  return decoded?.state === 'known' ? applyContent(row, decoded, account) : undefined;
}

function applyContent(
  row: MessageRow,
  decoded: Decoded & { state: 'known' | 'unknown' },
  account: AccountId,
): MessageRow {
  const rest = withoutSeal(row);
  if (decoded.state === 'unknown') return { ...rest, kind: 'unknown', todo: 'update' };
  const { content, expiresIn } = decoded;
  const target = targetOf(content);
  const quotes = 'replyTo' in content ? content.replyTo : undefined;
  const blobs = blobsOf(content);
  const { slot: _, ...unplaced } = rest;
  return {
    ...unplaced,
    kind: content.kind,
    ...(KIND_TRAITS[content.kind].isShown && { slot: row.slot ?? row.pos }),
    ...(target !== undefined && { target: messageKey(target) }),
    ...(quotes !== undefined && { quotes: messageKey(quotes) }),
    ...(blobs.length > 0 && { blobs }),
    ...(content.kind === 'delete' && content.blobs && { drops: content.blobs.map((id) => BlobId.parse(id)) }),
    ...(expiresIn !== undefined && { expiresIn }),
    ...(expiresIn !== undefined && row.sender === account && { expiresAt: row.at + expiresIn * 1000 }),
    ...(isSearchable(content) && { todo: 'index' as const }),
  };
}

function withoutSeal(row: MessageRow): MessageRow {
  const { body: _, todo: __, waits: ___, waitsFor: ____, ...rest } = row;
  return rest;
}

function sealedPositionOf({ session, index }: Opened & { state: 'open' }): string {
  return `${session}/${index}`;
}
