/** Where to listen for what a channel promises. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { ownerOf } from '../containers/service.ts';

interface ChannelSource {
  owner: AccountId;
  /** What all its channels begin with. */
  prefix: string;
  /** The channel that it shares with all places of its kind. */
  kind: 'documents' | 'files';
}

export function listChannelSources({ appwrite }: Context): ChannelSource[] {
  const { project, databases, buckets } = appwrite;
  const collections = databases.flatMap(({ id: database, collections: inside }) =>
    inside.map(({ id }) => ({
      owner: ownerOf('collection', `${project}/${database}/${id}`),
      prefix: `databases.${database}.collections.${id}.documents`,
      kind: 'documents' as const,
    })),
  );
  const stores = buckets.map(({ id }) => ({
    owner: ownerOf('bucket', `${project}/${id}`),
    prefix: `buckets.${id}.files`,
    kind: 'files' as const,
  }));
  return [...collections, ...stores];
}

/** Those of an account need none: it is listened to as long as it is there. A channel of nothing is none's. */
export function ownersFor(sources: readonly ChannelSource[], channels: readonly string[]): Set<AccountId> {
  const found = sources.filter(({ prefix, kind }) =>
    channels.some((channel) => isOf(channel, prefix) || isOf(channel, kind)),
  );
  return new Set(found.map(({ owner }) => owner));
}

function isOf(channel: string, start: string): boolean {
  return channel === start || channel.startsWith(`${start}.`);
}
