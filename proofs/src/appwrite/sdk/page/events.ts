import type * as Package from 'appwrite';
import { same } from '../fixture.ts';
import { dropFallback, signUpInPage } from './page-fixture.ts';
import type { Step } from './page-fixture.ts';

export const EVENTS: Step[] = [
  {
    title: 'a socket authenticated only by its cookie gets events of a private document',
    async run({ open, pages, near: endpoint, project }) {
      const { page } = await open();
      await page.goto(pages.origin);
      await signUpInPage(page, { endpoint, project });
      await page.evaluate(dropFallback);
      const heard = await page.evaluate(
        async ({ at, of }) => {
          const client = new Appwrite.Client().setEndpoint(at).setProject(of);
          const databases = new Appwrite.Databases(client);
          const one = { databaseId: 'main', collectionId: 'messages' };
          const found: string[] = [];
          const stop = client.subscribe<Package.Models.Document>(
            'databases.main.collections.messages.documents',
            ({ payload }) => found.push(payload.$id),
          );
          const made: string[] = [];
          // The package does not tell the page when the server has accepted the subscription.
          while (found.length === 0 && made.length < 100) {
            const input = { ...one, documentId: Appwrite.ID.unique(), data: { text: 'words' } };
            made.push((await databases.createDocument(input)).$id);
            await new Promise((resolve) => setTimeout(resolve, 100));
          }
          stop();
          return found.length > 0 && made.includes(found[0]!);
        },
        { at: endpoint, of: project },
      );
      same(heard, true, 'the event is the document that was written');
    },
  },
];
