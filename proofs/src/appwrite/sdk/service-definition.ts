/** The definition that an operator would write for these checks. */
import { createHash, randomBytes } from 'node:crypto';

export const PROJECT = 'proof';
export const API_KEY = randomBytes(24).toString('hex');

export const DEFINITION = {
  project: PROJECT,
  hosts: ['app.test'],
  signUpsPerHour: 100_000,
  keys: [createHash('sha256').update(API_KEY).digest('hex')],
  databases: [
    {
      id: 'main',
      collections: [
        {
          id: 'messages',
          permissions: ['create("users")'],
          documentSecurity: true,
          attributes: [
            { key: 'text', type: 'string', required: true },
            { key: 'note', type: 'string' },
            { key: 'count', type: 'integer' },
            { key: 'big', type: 'integer' },
            { key: 'tags', type: 'string', array: true },
          ],
        },
        { id: 'closed', permissions: ['read("users")'], attributes: [{ key: 'text', type: 'string', required: true }] },
      ],
    },
  ],
  topics: [{ id: 'news', subscribe: ['users'] }],
  buckets: [
    { id: 'files', permissions: ['create("users")'], fileSecurity: true, maxBytes: 60 * 1024 * 1024 },
    { id: 'tiny', permissions: ['create("users")'], fileSecurity: true, maxBytes: 10, extensions: ['txt'] },
  ],
};
