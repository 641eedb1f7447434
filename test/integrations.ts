import { newId } from '../src/platform/api/ids.ts';
import type { Answer, TestApp } from './app.ts';
import type { Side } from './world.ts';

/** 5 by 3 pixels. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAIAAADUVFKvAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPg5GBHRgwE+AAiDgFp5shY3AAAAABJRU5ErkJggg==';

export const publication = (side: Side, more: object = {}) => ({
  title: 'Sample',
  description: 'A sample.',
  scopes: [],
  script: 'export default {};',
  visibility: 'private',
  organization: side.organizationId,
  ...more,
});

export const publishAs = (
  app: TestApp,
  side: Side,
  name: string,
  more: object = {},
  token = side.admin.token,
): Promise<Answer> => app.call('POST', `/v1/integrations/${name}`, { token, body: publication(side, more) });

/** The name of a new integration. */
export async function anIntegration(app: TestApp, side: Side, more: object = {}): Promise<string> {
  const name = `sample.${newId().toLowerCase()}`;
  const { status, text } = await publishAs(app, side, name, more);
  if (status !== 200) throw new Error(`the integration was refused: ${status} ${text}`);
  return name;
}
