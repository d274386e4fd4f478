/** Collections and buckets of `/v1` with one attribute of each type, so that inputs reach every parser. */
import { createHash } from 'node:crypto';

export const PROJECT = 'fuzz';
export const API_KEY = 'fuzz-'.repeat(8);

export const DEFINITION = {
  project: PROJECT,
  signUpsPerHour: 1_000_000,
  keys: [createHash('sha256').update(API_KEY).digest('hex')],
  databases: [
    {
      id: 'main',
      collections: [
        { id: 'users', view: 'users' },
        { id: 'messages', view: 'messages' },
        {
          id: 'things',
          permissions: ['create("users")'],
          documentSecurity: true,
          quotaBytes: 1024 ** 3,
          attributes: [
            { key: 'text', type: 'string', required: true },
            { key: 'count', type: 'integer' },
            { key: 'weight', type: 'float' },
            { key: 'isNew', type: 'boolean' },
            { key: 'at', type: 'datetime' },
            { key: 'tags', type: 'string', array: true },
            { key: 'counts', type: 'integer', array: true },
          ],
        },
      ],
    },
  ],
  buckets: [{ id: 'files', permissions: ['create("users")'], fileSecurity: true }],
  topics: [{ id: 'news', subscribe: ['users'] }],
  unverifiedQuotaBytes: 1024 ** 3,
};
