/** Documents of `/v1`. */
import { ServiceId } from '@dostar/protocol/service/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Limit } from '../../platform/concurrency/rate-limits.ts';
import { listPage } from '../list-page.ts';
import { ServiceError } from '../errors.ts';
import { readParams, whoCalls } from '../http.ts';
import type { ServiceCall, ServiceCaller, ServiceHttp } from '../http.ts';
import { readPermissions } from '../permissions.ts';
import { listQueryTexts, readQueries } from '../queries.ts';
import { makeUniqueId } from '../../platform/postgres/unique-id.ts';
import { fieldsOf } from './fields.ts';
import { describeDocument } from './model.ts';
import type { Collection } from './model.ts';
import {
  changeDocument,
  createDocument,
  putDocument,
  removeDocument,
  requireCollection,
  requireReadableDocument,
  sourceOf,
} from './service.ts';
import type { Wish } from './service.ts';
import { stepAttribute } from './step.ts';
import { COLUMNS, readRow } from './store.ts';
import { changeUserDocument, removeUserDocument } from './user-document.ts';

const DOCUMENTS = '/databases/:database/collections/:collection/documents';
const READS: Limit = { name: 'v1-document-reads', points: 1_200, perSeconds: 60, scope: 'process' };
const WRITES: Limit = { name: 'v1-document-writes', points: 600, perSeconds: 60, scope: 'process' };
/** A text attribute may have a million characters. */
const BODY_BYTES = 1024 * 1024;
const DELETIONS: Limit = { name: 'v1-document-deletions', points: 60, perSeconds: 60, scope: 'process' };

const Data = z.record(z.string(), z.unknown());
const New = z.object({
  documentId: ServiceId.or(z.literal('unique()')),
  data: Data.nullish(),
  permissions: z.array(z.string()).nullish(),
  transactionId: z.string().nullish(),
});
const Changes = New.omit({ documentId: true });
const Amount = z.union([z.number(), z.bigint()]);
const Steps = z.object({
  value: z
    .union([z.number().positive(), z.bigint().positive()])
    .nullish()
    .transform((value) => value ?? 1),
  min: Amount.nullish(),
  max: Amount.nullish(),
  transactionId: z.string().nullish(),
});

export function documentRoutes(http: ServiceHttp, ctx: Context): void {
  http.add({
    method: 'GET',
    paths: [DOCUMENTS],
    auth: 'guest',
    limit: READS,
    async handle({ params, query, caller, address }) {
      requireNoTransaction(query.get('transactionId'));
      const collection = requireCollection(ctx, params['database'] ?? '', params['collection'] ?? '');
      const fields = fieldsOf(collection.attributes);
      const queries = readQueries(listQueryTexts(query), { fields, errorType: 'general_query_invalid' });
      const isBackwards =
        /^\$(created|updated)At$/.test(queries.orders[0]?.attribute ?? '') && queries.orders[0]!.isDescending;
      const { owner, table, visible } = sourceOf(collection, caller, queries.filters);
      const { total, rows } = await listPage(ctx.shards.of(owner), {
        caller: whoCalls({ caller, address }),
        table,
        columns: COLUMNS,
        visible,
        fields,
        queries,
        ties: [{ attribute: '$sequence', isDescending: isBackwards }],
        isCounted: query.get('total') !== 'false',
      });
      return { total, documents: rows.map((row) => describeDocument(collection, readRow(row), queries.select)) };
    },
  });

  http.add({
    method: 'POST',
    paths: [DOCUMENTS],
    auth: 'guest',
    status: 201,
    limit: WRITES,
    bodyBytes: BODY_BYTES,
    async handle(call) {
      const { documentId, data, ...rest } = readParams(New, call.body);
      if (!data || Object.keys(data).length === 0) throw new ServiceError('document_missing_data');
      const id = documentId === 'unique()' ? makeUniqueId(ctx.clock.now()) : documentId;
      const [collection, wish] = readWish(call, id, { data, ...rest });
      return describeDocument(collection, await createDocument(ctx, collection, wish, call.caller));
    },
  });

  http.add({
    method: 'GET',
    paths: [`${DOCUMENTS}/:document`],
    auth: 'guest',
    limit: READS,
    async handle({ params, query, caller }) {
      const collection = requireCollection(ctx, params['database'] ?? '', params['collection'] ?? '');
      const fields = fieldsOf(collection.attributes);
      const { select } = readQueries(listQueryTexts(query), { fields, errorType: 'general_query_invalid' });
      const found = await requireReadableDocument(ctx, collection, params['document'] ?? '', caller);
      return describeDocument(collection, found, select);
    },
  });

  for (const [method, write] of [
    ['PATCH', changeDocument],
    ['PUT', putDocument],
  ] as const) {
    http.add({
      method,
      paths: [`${DOCUMENTS}/:document`],
      auth: 'guest',
      limit: WRITES,
      bodyBytes: BODY_BYTES,
      async handle(call) {
        const given = readParams(Changes, call.body);
        const isEmpty = !given.permissions && Object.keys(given.data ?? {}).length === 0;
        if (isEmpty) throw new ServiceError('document_missing_payload');
        const { documentId } = readParams(z.object({ documentId: ServiceId }), { documentId: call.params['document'] });
        const [collection, wish] = readWish(call, documentId, given);
        const isUser = collection.view === 'users' && isOwnId(call.caller, documentId);
        const change = isUser ? changeUserDocument : write;
        return describeDocument(collection, await change(ctx, collection, wish, call.caller));
      },
    });
  }

  for (const [word, sign, bound] of [
    ['increment', 1, 'max'],
    ['decrement', -1, 'min'],
  ] as const) {
    http.add({
      method: 'PATCH',
      paths: [`${DOCUMENTS}/:document/:attribute/${word}`],
      auth: 'guest',
      limit: WRITES,
      async handle({ params, body, caller }) {
        const { value, [bound]: limit, transactionId } = readParams(Steps, body);
        requireNoTransaction(transactionId);
        const collection = requireCollection(ctx, params['database'] ?? '', params['collection'] ?? '');
        const { document: id = '', attribute = '' } = params;
        const by = typeof value === 'bigint' ? value * BigInt(sign) : value * sign;
        const step = { id, attribute, by, limit: limit ?? undefined };
        return describeDocument(collection, await stepAttribute(ctx, collection, step, caller));
      },
    });
  }

  http.add({
    method: 'DELETE',
    paths: [`${DOCUMENTS}/:document`],
    auth: 'guest',
    limit: DELETIONS,
    async handle({ params, caller }) {
      const collection = requireCollection(ctx, params['database'] ?? '', params['collection'] ?? '');
      const remove = collection.view === 'users' ? removeUserDocument : removeDocument;
      await remove(ctx, collection, params['document'] ?? '', caller);
    },
  });

  function readWish({ params }: ServiceCall, id: string, given: z.output<typeof Changes>): [Collection, Wish] {
    requireNoTransaction(given.transactionId);
    const permissions = given.permissions ? readPermissions(given.permissions) : undefined;
    const collection = requireCollection(ctx, params['database'] ?? '', params['collection'] ?? '');
    return [collection, { id, data: given.data ?? {}, permissions }];
  }
}

/** A caller has no other user document: every other id is handled like one of a missing document. */
function isOwnId(caller: ServiceCaller, id: string): boolean {
  return caller.kind === 'user' && caller.account === id;
}

/** Nothing here begins one. */
function requireNoTransaction(id: string | null | undefined): void {
  if (id !== null && id !== undefined) throw new ServiceError('transaction_not_found');
}
