import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Check } from 'typebox/value';
import { DEFAULT_CUSTOMIZATION } from './defaults.ts';
import {
  differencesFromDefaults,
  effectiveCustomization,
  patchedOverrides,
  readerTheme,
} from './merge-settings.ts';
import { Customization, CustomizationPatch, type PartialCustomization } from './schema.ts';

const red = { light: '#FF0000', dark: '#FF8888' };

const locale = fc.constantFrom('en' as const, 'de' as const, 'ja' as const);
const some: fc.Arbitrary<PartialCustomization> = fc.record(
  {
    title: fc.constantFrom('Docs', 'Handbook'),
    styling: fc.record(
      {
        theme: fc.constantFrom('clean' as const, 'bold' as const),
        primaryColor: fc.constant(red),
        tint: fc.constant({ color: red }),
        sidebar: fc.record({ list: fc.constantFrom('pill' as const, 'line' as const) }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
    favicon: fc.constantFrom(
      {},
      { emoji: '1f4d5' },
      { icon: { light: 'https://a.example/', dark: 'https://a.example/' } },
    ),
    internationalization: fc.record({ locale }, { requiredKeys: [] }),
    themes: fc.record(
      { default: fc.constantFrom('light' as const, 'dark' as const), system: fc.boolean() },
      { requiredKeys: [] },
    ),
    header: fc.record({ preset: fc.constantFrom('bold' as const, 'none' as const) }, { requiredKeys: [] }),
    privacyPolicy: fc.record({ url: fc.constant('https://a.example/') }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

describe('effectiveCustomization', () => {
  test('of nothing is the default, which is valid', () => {
    expect(effectiveCustomization()).toEqual(DEFAULT_CUSTOMIZATION);
    expect(Check(Customization, DEFAULT_CUSTOMIZATION)).toBe(true);
  });

  test('is always complete and valid', () => {
    fc.assert(
      fc.property(some, some, (site, siteSpace) => {
        const effective = effectiveCustomization(site, siteSpace);
        expect(Check(Customization, effective)).toBe(true);
        expect(effective.title).toBe(siteSpace.title ?? site.title);
        const theirs = siteSpace.styling?.theme ?? site.styling?.theme ?? DEFAULT_CUSTOMIZATION.styling.theme;
        expect(effective.styling.theme).toBe(theirs);
      }),
    );
  });

  test('combines groups, and replaces values', () => {
    const site: PartialCustomization = {
      styling: { corners: 'straight', sidebar: { list: 'pill' }, primaryColor: red },
      favicon: { icon: { light: 'https://a.example/l', dark: 'https://a.example/d' } },
    };
    const effective = effectiveCustomization(site, {
      styling: { sidebar: { background: 'filled' } },
      favicon: { emoji: '📕' },
    });
    expect(effective.styling).toMatchObject({
      corners: 'straight',
      primaryColor: red,
      sidebar: { list: 'pill', background: 'filled' },
    });
    expect(effective.favicon).toEqual({ emoji: '📕' });
  });
});

test('pages have the theme of the system, until one is chosen', () => {
  const themeOf = (...settings: PartialCustomization[]) => readerTheme(effectiveCustomization(...settings));
  expect(themeOf()).toBe('system');
  expect(themeOf({ themes: { toggeable: false } }, {})).toBe('system');
  expect(themeOf({ themes: { default: 'dark' } }, {})).toBe('dark');
  expect(themeOf({ themes: { default: 'dark' } }, { themes: { default: 'light' } })).toBe('light');
  expect(themeOf({ themes: { default: 'dark' } }, { themes: { system: true } })).toBe('system');
});

test('settings are stored as differences, which have the same effect', () => {
  expect(differencesFromDefaults(DEFAULT_CUSTOMIZATION)).toEqual({});
  fc.assert(
    fc.property(some, (settings) => {
      const stored = differencesFromDefaults(settings);
      expect(effectiveCustomization(stored)).toEqual(effectiveCustomization(settings));
      expect(differencesFromDefaults(effectiveCustomization(settings))).toEqual(stored);
    }),
  );
});

describe('patchedOverrides', () => {
  test('keeps what is left out, removes what is null', () => {
    const overrides: PartialCustomization = {
      title: 'A',
      styling: { theme: 'bold', sidebar: { list: 'line' } },
    };
    expect(patchedOverrides(overrides, {})).toEqual(overrides);
    expect(patchedOverrides(overrides, { title: null, styling: { theme: null } })).toEqual({
      styling: { sidebar: { list: 'line' } },
    });
    expect(patchedOverrides(overrides, { styling: { theme: null, sidebar: { list: null } } })).toEqual({
      title: 'A',
    });
    expect(patchedOverrides(overrides, { styling: null })).toEqual({ title: 'A' });
  });

  test('a change and its removal restore what was there before', () => {
    fc.assert(
      fc.property(some, (overrides) => {
        const set = patchedOverrides(overrides, { footer: { copyright: 'Us' } });
        expect(set.footer?.copyright).toBe('Us');
        expect(patchedOverrides(set, { footer: { copyright: null } })).toEqual(overrides);
      }),
    );
  });

  test('every setting can be set to null', () => {
    const nulls = Object.fromEntries(Object.keys(DEFAULT_CUSTOMIZATION).map((name) => [name, null]));
    expect(Check(CustomizationPatch, { ...nulls, title: null, announcement: null })).toBe(true);
    const members = Object.fromEntries(
      Object.entries(DEFAULT_CUSTOMIZATION).flatMap(([name, group]) =>
        name === 'favicon' || name === 'socialAccounts'
          ? []
          : [[name, Object.fromEntries(Object.keys(group).map((member) => [member, null]))]],
      ),
    );
    expect(Check(CustomizationPatch, members)).toBe(true);
    expect(patchedOverrides({ styling: { theme: 'bold' } }, members)).toEqual({});
  });
});
