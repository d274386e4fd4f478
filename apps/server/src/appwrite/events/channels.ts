/** Which owners publish the events of a channel. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import { ownerOf } from '../containers/service.ts';

interface ChannelSource {
  owner: AccountId;
  /** The prefix of all its channels. */
  prefix: string;
  /** The channel of all sources of this kind. */
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

/** Channels of the account itself need no owner here: a connection always listens to its account. */
export function ownersFor(sources: readonly ChannelSource[], channels: readonly string[]): Set<AccountId> {
  const found = sources.filter(({ prefix, kind }) =>
    channels.some((channel) => isOf(channel, prefix) || isOf(channel, kind)),
  );
  return new Set(found.map(({ owner }) => owner));
}

function isOf(channel: string, start: string): boolean {
  return channel === start || channel.startsWith(`${start}.`);
}
