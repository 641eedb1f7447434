import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { idIn } from '../../../test/published-site.ts';
import { aSpec, readAllSpecs } from '../../../test/specs.ts';
import { aSide, grantOn, type Person, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let spec: string;
let space: string;
let guest: Person;
let member: Person;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  spec = await aSpec(app, side);
  await readAllSpecs(app);
  space = await contentsOf(app, side).aSpace();
  guest = side.people.guest;
  await grantOn(app, guest, 'edit', [idIn(space)]);
  member = side.people.edit;
});

const block = (path = '/pets/{id}') =>
  `{% openapi-operation spec="${spec}" path="${path}" method="get" %}\n{% endopenapi-operation %}`;
const entry = () => ({
  operation: 'insert_page',
  type: 'computed',
  computed: {
    type: 'builtin:openapi',
    props: { models: false },
    dependencies: { spec: { ref: { kind: 'openapi', spec } } },
  },
});
const edit = (who: Person, to: string, ...changes: object[]) =>
  app.call('POST', `${to}/content`, { token: who.token, body: { changes } });
const REFUSED = /may not view the OpenAPI specifications/;

describe('a guest, who may edit a space', () => {
  test('adds no block of a specification to it, and no entry', async () => {
    for (const change of [
      insert('Block', block()),
      entry(),
      insert(
        'By URL',
        '{% openapi src="https://example.org/a.json" path="/" method="get" %}\n{% endopenapi %}',
      ),
    ])
      expectError(await edit(guest, space, change), 403, REFUSED);
  });

  test('nor to a change request', async () => {
    const { body } = await app.call('POST', `${space}/change-requests`, { token: guest.token, body: {} });
    const request = `${space}/change-requests/${body.id}`;
    for (const change of [insert('Block', block()), entry()])
      expectError(await edit(guest, request, change), 403, REFUSED);
    expect((await edit(guest, request, insert('Plain', 'Text.'))).status).toBe(200);
  });

  test('edits around what a page shows already, and adds no other page that shows it', async () => {
    const added = await edit(member, space, insert('Reference', block()));
    const [page] = idsOf(added.body);
    const around = { operation: 'update_page', page, document: { markdown: `New words.\n\n${block()}\n` } };
    expect((await edit(guest, space, around)).status).toBe(200);
    expect((await edit(guest, space, { operation: 'update_page', page, title: 'Renamed' })).status).toBe(200);
    expectError(await edit(guest, space, insert('Copy', block())), 403, REFUSED);
  });
});

test('a member who views specifications adds them', async () => {
  expect((await edit(member, space, insert('Block', block()), entry())).status).toBe(200);
});
