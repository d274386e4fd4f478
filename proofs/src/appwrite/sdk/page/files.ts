import type { Page } from 'playwright-core';
import { expect, same } from '../fixture.ts';
import { dropFallback, signUpInPage } from './page-fixture.ts';
import type { ServiceLocation, Step } from './page-fixture.ts';

const MB = 1024 * 1024;

/** Uploads a picture of 64 by 48 pixels and returns its id. */
async function uploadPicture(page: Page, location: ServiceLocation): Promise<string> {
  return page.evaluate(async ({ endpoint, project }) => {
    const client = new Appwrite.Client().setEndpoint(endpoint).setProject(project);
    const canvas = new OffscreenCanvas(64, 48);
    canvas.getContext('2d')?.fillRect(0, 0, 32, 48);
    const file = new File([await canvas.convertToBlob()], 'picture.png');
    const storage = new Appwrite.Storage(client);
    return (await storage.createFile({ bucketId: 'files', fileId: Appwrite.ID.unique(), file })).$id;
  }, location);
}

interface Shown extends ServiceLocation {
  fileId: string;
  token?: string;
}

/** The width of the preview in an `<img>`; 0 if it does not load. */
async function widthOf(page: Page, shown: Shown): Promise<number> {
  return page.evaluate(async ({ endpoint, project, fileId, token }) => {
    const client = new Appwrite.Client().setEndpoint(endpoint).setProject(project);
    const image = document.createElement('img');
    const input = { bucketId: 'files', fileId, width: 32, ...(token !== undefined && { token }) };
    image.src = new Appwrite.Storage(client).getFilePreview(input);
    document.documentElement.append(image);
    await image.decode().catch(() => {});
    return image.naturalWidth;
  }, shown);
}

export const FILES: Step[] = [
  {
    title: 'twelve megabytes are uploaded in three chunks with progress, and downloaded byte for byte',
    async run({ open, pages, near: endpoint, project }) {
      const { page } = await open();
      await page.goto(pages.origin);
      await signUpInPage(page, { endpoint, project });
      const { shares, isSame, chunks } = await page.evaluate(
        async ({ at, of, size }) => {
          const client = new Appwrite.Client().setEndpoint(at).setProject(of);
          const storage = new Appwrite.Storage(client);
          const bytes = new Uint8Array(size).map((_, index) => (index * 31 + (index >> 8)) % 251);
          const found: number[] = [];
          const made = await storage.createFile({
            bucketId: 'files',
            fileId: Appwrite.ID.unique(),
            file: new File([bytes], 'noise.bin'),
            onProgress: ({ progress }) => found.push(Math.round(progress)),
          });
          const url = storage.getFileDownload({ bucketId: 'files', fileId: made.$id });
          const back = new Uint8Array(await (await fetch(url, { credentials: 'include' })).arrayBuffer());
          return {
            shares: found,
            isSame: back.length === size && back.every((value, index) => value === bytes[index]),
            chunks: [made.chunksUploaded, made.chunksTotal],
          };
        },
        { at: endpoint, of: project, size: 12 * MB },
      );
      same(chunks, [3, 3], 'parts');
      // Two chunks are uploaded concurrently: either may finish first.
      same([shares.length, shares[0], shares[2]], [3, 42, 100], 'progress');
      expect(shares[1]! > 42 && shares[1]! < 100, `in the middle it said ${shares[1]}`);
      same(isSame, true, 'byte for byte');
    },
  },
  {
    title: 'an <img> shows a private preview to its owner only',
    async run({ open, pages, near: endpoint, project }) {
      const location = { endpoint, project };
      const [hers, his] = [await open(), await open()];
      for (const { page } of [hers, his]) {
        await page.goto(pages.origin);
        await signUpInPage(page, location);
        await page.evaluate(dropFallback);
      }
      const fileId = await uploadPicture(hers.page, location);
      same(await widthOf(hers.page, { ...location, fileId }), 32, 'for her');
      same(await widthOf(his.page, { ...location, fileId }), 0, 'for him');
    },
  },
  {
    title: 'with a token the preview stands in a page of another site too',
    async run({ open, pages, near, far, project }) {
      const { page } = await open();
      await page.goto(pages.origin);
      const location = { endpoint: near, project };
      await signUpInPage(page, location);
      const fileId = await uploadPicture(page, location);
      const token = await page.evaluate(
        async ({ endpoint, project: of, id }) => {
          const answer = await fetch(`${endpoint}/tokens/buckets/files/files/${id}`, {
            method: 'POST',
            credentials: 'include',
            headers: { 'content-type': 'application/json', 'x-appwrite-project': of },
            body: '{}',
          });
          return ((await answer.json()) as { secret: string }).secret;
        },
        { ...location, id: fileId },
      );
      const elsewhere = await open();
      await elsewhere.page.goto(pages.origin);
      const there = { endpoint: far, project, fileId };
      same(await widthOf(elsewhere.page, there), 0, 'without it');
      same(await widthOf(elsewhere.page, { ...there, token }), 32, 'with it');
    },
  },
];
