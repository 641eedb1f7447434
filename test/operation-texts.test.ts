import { describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { openApiDocument } from '../src/platform/openapi/document.ts';

/** The first words of summaries. Add a verb here only if none of these describes the operation. */
const VERBS = new Set(
  (
    'Add Cancel Comment Connect Create Delete Disconnect Duplicate Edit Export Get Import Install Invite Join List Merge Move Publish Record Remove Rename ' +
    'Reply Request Resolve Restore Rotate Search Send Share Submit Synchronize Transfer Uninstall Unpublish Update'
  ).split(' '),
);

/** Words without a clear referent; CONTRIBUTING.md has the rules. */
const VAGUE = /\b(whoever|whatever|somebody|everybody|nobody|anew|all that|made of|for itself)\b/i;

/** Every summary and description of the document, with its path. */
function textsIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const isText = (name === 'summary' || name === 'description') && typeof member === 'string';
    return isText ? [[`${path}/${name}`, member]] : textsIn(member, `${path}/${name}`);
  });
}

describe('texts of the API reference', () => {
  test.each(operations.map(({ id, summary }) => [id, summary]))(
    '%s: "%s" is an instruction',
    (_id, summary) => {
      const [verb = '', ...object] = summary.split(' ');
      expect([...VERBS]).toContain(verb);
      expect(object.length).toBeGreaterThan(0);
      expect(summary).not.toMatch(/\.$/);
      expect(summary.length).toBeLessThanOrEqual(72);
    },
  );

  test.each(operations.flatMap(({ id, description }) => (description ? [[id, description]] : [])))(
    '%s: its description consists of sentences',
    (_id, description) => expect(description).toMatch(/^[A-Z`].*\.$/s),
  );

  test.each(operations.map(({ id, params, query }) => [id, { ...params?.properties, ...query?.properties }]))(
    '%s: its parameters are described',
    (_id, parameters) => {
      const isDescribed = (schema: object) => 'description' in schema;
      const missing = Object.entries(parameters).filter(([, schema]) => !isDescribed(schema));
      expect(missing.map(([name]) => name)).toEqual([]);
    },
  );

  test('name their subject', () => {
    const texts = textsIn(openApiDocument(operations, { version: '1.0.0', url: 'http://octavo.test' }));
    expect(texts.length).toBeGreaterThan(operations.length);
    expect(texts.filter(([, text]) => VAGUE.test(text))).toEqual([]);
  });
});
