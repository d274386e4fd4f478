/** Servers without one of the rules about account ids; a check of takeover.ts must fail for each. */
import type { Change } from '@dostar/client/testing/change';

interface Variant {
  changes: Change[];
  /** The check that must fail. */
  shows: string;
}

export const ID_VARIANTS: Record<string, Variant> = {
  'account-ids': {
    changes: [
      {
        file: 'appwrite/accounts/service.ts',
        phrase: 'if (hasAccountIdFormat(wanted.id)) {',
        replacement: 'if (false) {',
      },
    ],
    shows: 'choosing the id of an account opens nothing of it',
  },
  'former-ids': {
    changes: [{ file: 'appwrite/ids/service.ts', phrase: '&& !(await isFormerId(tx, id))', replacement: '' }],
    shows: 'the id of a removed account is refused',
  },
  'owned-documents': {
    changes: [
      {
        file: 'appwrite/account-hooks.ts',
        phrase: 'await dropDocumentsOf(ctx, account, appwriteId);',
        replacement: '',
      },
    ],
    shows: 'documents and files are deleted with their account',
  },
};
