import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

const download = (url: string) => app.app.server.inject({ method: 'GET', url: new URL(url).pathname });

describe('a PDF', () => {
  test('of a space and of a page: made once, got without a token, for an hour', async () => {
    const space = await contents.aSpace();
    const [above = ''] = idsOf(
      await contents.edit(
        space,
        insert('Above', '## Heading\n\nText with `code`, *words* and #strange \\ $characters.\n', {
          ref: 'above',
        }),
        insert('Below', '{% hint style="info" %}\nA hint\n{% endhint %}\n', { into: 'above' }),
      ),
    );
    const { url } = await contents.get(`${space}/pdf`);
    const whole = await download(url);
    expect([whole.statusCode, whole.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(whole.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    const [before] = await app.sql('select count(*)::int as n from pdfs');
    await contents.get(`${space}/pdf`);
    expect((await app.sql('select count(*)::int as n from pdfs'))[0]).toEqual(before);
    await contents.call('PATCH', space, { title: 'Called otherwise' });
    expect((await download((await contents.get(`${space}/pdf`)).url)).rawPayload).not.toEqual(
      whole.rawPayload,
    );

    const only = await contents.get(`${space}/pdf?page=${above}&only=true`);
    expect((await download(only.url)).rawPayload.length).toBeLessThan(whole.rawPayload.length);
    expectError(await contents.call('GET', `${space}/pdf?page=nobody`), 404);
    expect((await download(url.replace(/\/\d{10}\//, '/9999999999/'))).statusCode).toBe(404);
  }, 60_000);

  test('of a change request shows what it proposes', async () => {
    const space = await contents.aSpace();
    const { body } = await contents.call('POST', `${space}/change-requests`, {});
    const request = `${space}/change-requests/${body.id}`;
    await contents.call('POST', `${request}/content`, { changes: [insert('Proposed', 'Text')] });
    const { url } = await contents.get(`${request}/pdf`);
    expect((await download(url)).rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  }, 60_000);
});
