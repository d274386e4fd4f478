/** Documents of `/v1`. */
import { AppwriteId } from '@dostar/protocol/appwrite/ids';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { RateLimit } from '../../platform/concurrency/rate-limits.ts';
import { listPage } from '../list-page.ts';
import { AppwriteError } from '../errors.ts';
import { readParams, whoCalls } from '../http.ts';
import type { AppwriteCall, AppwriteCaller, AppwriteHttp } from '../http.ts';
import * as models from '../reply-models.ts';
import { readPermissions } from '../permissions.ts';
import { ListQuery, listQueryTexts, readQueries } from '../queries.ts';
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
import type { DocumentInput } from './service.ts';
import { incrementAttribute } from './increment.ts';
import { COLUMNS, readRow } from './store.ts';
import { changeUserDocument, removeUserDocument } from './user-document.ts';

const DOCUMENTS = '/databases/:database/collections/:collection/documents';
const READS: RateLimit = { name: 'v1-document-reads', points: 1_200, perSeconds: 60, scope: 'process' };
const WRITES: RateLimit = { name: 'v1-document-writes', points: 600, perSeconds: 60, scope: 'process' };
/** A text attribute may have a million characters. */
const BODY_BYTES = 1024 * 1024;
const DELETIONS: RateLimit = { name: 'v1-document-deletions', points: 60, perSeconds: 60, scope: 'process' };

const Data = z.record(z.string(), z.unknown());
const New = z.object({
  documentId: AppwriteId.or(z.literal('unique()')),
  data: Data.nullish(),
  permissions: z.array(z.string()).nullish(),
  transactionId: z.string().nullish(),
});
const Changes = New.omit({ documentId: true });
const Amount = z.union([z.number(), z.bigint()]);
const Increments = z.object({
  value: z
    .union([z.number().positive(), z.bigint().positive()])
    .nullish()
    .transform((value) => value ?? 1),
  min: Amount.nullish(),
  max: Amount.nullish(),
  transactionId: z.string().nullish(),
});

const MISSING_COLLECTION = ['database_not_found', 'collection_not_found'] as const;
const REFUSED_QUERY = [
  'general_query_invalid',
  'general_cursor_not_found',
  'database_query_order_null',
  'database_timeout',
] as const;
const REFUSED_WRITE = [
  ...MISSING_COLLECTION,
  'user_unauthorized',
  'document_invalid_structure',
  'transaction_not_found',
] as const;

export function documentRoutes(http: AppwriteHttp, ctx: Context): void {
  http.add({
    method: 'GET',
    paths: [DOCUMENTS],
    auth: 'guest',
    docs: {
      summary: 'Lists documents',
      sdk: 'databases.listDocuments',
      query: ListQuery,
      reply: models.DocumentList,
      errors: [...MISSING_COLLECTION, ...REFUSED_QUERY, 'user_unauthorized'],
    },
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
    docs: {
      summary: 'Creates a document',
      sdk: 'databases.createDocument',
      body: New,
      reply: models.Document,
      errors: [...REFUSED_WRITE, 'document_missing_data', 'document_already_exists', 'storage_quota_exceeded'],
    },
    status: 201,
    limit: WRITES,
    bodyBytes: BODY_BYTES,
    async handle(call) {
      const { documentId, data, ...rest } = readParams(New, call.body);
      if (!data || Object.keys(data).length === 0) throw new AppwriteError('document_missing_data');
      const id = documentId === 'unique()' ? makeUniqueId(ctx.clock.now()) : documentId;
      const [collection, input] = readInput(call, id, { data, ...rest });
      return describeDocument(collection, await createDocument(ctx, collection, input, call.caller));
    },
  });

  http.add({
    method: 'GET',
    paths: [`${DOCUMENTS}/:document`],
    auth: 'guest',
    docs: {
      summary: 'Returns a document',
      sdk: 'databases.getDocument',
      query: ListQuery.pick({ 'queries[]': true }),
      reply: models.Document,
      errors: [...MISSING_COLLECTION, 'document_not_found', 'user_unauthorized', 'general_query_invalid'],
    },
    limit: READS,
    async handle({ params, query, caller }) {
      const collection = requireCollection(ctx, params['database'] ?? '', params['collection'] ?? '');
      const fields = fieldsOf(collection.attributes);
      const { select } = readQueries(listQueryTexts(query), { fields, errorType: 'general_query_invalid' });
      const found = await requireReadableDocument(ctx, collection, params['document'] ?? '', caller);
      return describeDocument(collection, found, select);
    },
  });

  for (const [method, write, docs] of [
    ['PATCH', changeDocument, { summary: 'Changes a document', sdk: 'databases.updateDocument' }],
    ['PUT', putDocument, { summary: 'Creates or replaces a document', sdk: 'databases.upsertDocument' }],
  ] as const) {
    http.add({
      method,
      paths: [`${DOCUMENTS}/:document`],
      auth: 'guest',
      docs: {
        ...docs,
        body: Changes,
        reply: models.Document,
        errors: [...REFUSED_WRITE, 'document_missing_payload', 'document_not_found', 'storage_quota_exceeded'],
      },
      limit: WRITES,
      bodyBytes: BODY_BYTES,
      async handle(call) {
        const given = readParams(Changes, call.body);
        const isEmpty = !given.permissions && Object.keys(given.data ?? {}).length === 0;
        if (isEmpty) throw new AppwriteError('document_missing_payload');
        const { documentId } = readParams(z.object({ documentId: AppwriteId }), {
          documentId: call.params['document'],
        });
        const [collection, input] = readInput(call, documentId, given);
        const isUser = collection.view === 'users' && isOwnId(call.caller, documentId);
        const change = isUser ? changeUserDocument : write;
        return describeDocument(collection, await change(ctx, collection, input, call.caller));
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
      docs: {
        summary: `${sign > 0 ? 'Increments' : 'Decrements'} a number of a document`,
        sdk: `databases.${word}DocumentAttribute`,
        body: Increments,
        reply: models.Document,
        errors: [
          ...MISSING_COLLECTION,
          'document_not_found',
          'user_unauthorized',
          'attribute_not_found',
          'attribute_type_invalid',
          'attribute_limit_exceeded',
          'transaction_not_found',
        ],
      },
      limit: WRITES,
      async handle({ params, body, caller }) {
        const { value, [bound]: limit, transactionId } = readParams(Increments, body);
        requireNoTransaction(transactionId);
        const collection = requireCollection(ctx, params['database'] ?? '', params['collection'] ?? '');
        const { document: id = '', attribute = '' } = params;
        const by = typeof value === 'bigint' ? value * BigInt(sign) : value * sign;
        const increment = { id, attribute, by, limit: limit ?? undefined };
        return describeDocument(collection, await incrementAttribute(ctx, collection, increment, caller));
      },
    });
  }

  http.add({
    method: 'DELETE',
    paths: [`${DOCUMENTS}/:document`],
    auth: 'guest',
    docs: {
      summary: 'Deletes a document; the user document closes the account',
      sdk: 'databases.deleteDocument',
      reply: 'nothing',
      errors: [...MISSING_COLLECTION, 'document_not_found', 'user_unauthorized', 'user_challenge_required'],
    },
    limit: DELETIONS,
    async handle({ params, caller }) {
      const collection = requireCollection(ctx, params['database'] ?? '', params['collection'] ?? '');
      const remove = collection.view === 'users' ? removeUserDocument : removeDocument;
      await remove(ctx, collection, params['document'] ?? '', caller);
    },
  });

  function readInput(
    { params }: AppwriteCall,
    id: string,
    given: z.output<typeof Changes>,
  ): [Collection, DocumentInput] {
    requireNoTransaction(given.transactionId);
    const permissions = given.permissions ? readPermissions(given.permissions) : undefined;
    const collection = requireCollection(ctx, params['database'] ?? '', params['collection'] ?? '');
    return [collection, { id, data: given.data ?? {}, permissions }];
  }
}

/** A caller has no other user document: every other id is handled like one of a missing document. */
function isOwnId(caller: AppwriteCaller, id: string): boolean {
  return caller.kind === 'user' && caller.account === id;
}

/** The server has no transactions of `/v1`. */
function requireNoTransaction(id: string | null | undefined): void {
  if (id !== null && id !== undefined) throw new AppwriteError('transaction_not_found');
}
