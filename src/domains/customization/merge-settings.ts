import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_CUSTOMIZATION } from './defaults.ts';
import { orderedActions } from './page-actions.ts';
import type { Customization, CustomizationPatch, PartialCustomization } from './schema.ts';

/** Settings as a tree: a member whose default is an object is a group, every other one is a value. */
type Group = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects that are one value: they are replaced, never combined. */
const VALUES = new Set([
  'favicon',
  'primaryColor',
  'infoColor',
  'successColor',
  'warningColor',
  'dangerColor',
  'codeTheme',
]);

const isGroup = (name: string, model: unknown): model is Group => !VALUES.has(name) && isObject(model);

/** The settings that pages of a site space have: its own, else those of the site, else the defaults. */
export function effectiveCustomization(
  site: PartialCustomization = {},
  siteSpace: PartialCustomization = {},
): Customization {
  const settings = combined(
    DEFAULT_CUSTOMIZATION,
    combined(DEFAULT_CUSTOMIZATION, DEFAULT_CUSTOMIZATION, withSystem(site)),
    withSystem(siteSpace),
  ) as Customization;
  return { ...settings, pageActions: { ...settings.pageActions, items: orderedActions(settings) } };
}

/** Clients that do not know `system` choose a theme by its name alone. */
const withSystem = (settings: PartialCustomization): PartialCustomization =>
  settings.themes?.default === undefined
    ? settings
    : { ...settings, themes: { system: false, ...settings.themes } };

/** The theme that pages begin with. */
export const readerTheme = ({ themes }: Customization): 'light' | 'dark' | 'system' =>
  themes.system ? 'system' : themes.default;

/** The stored form of settings: all that differs from the defaults. */
export function differencesFromDefaults(settings: PartialCustomization): PartialCustomization {
  const effective = effectiveCustomization(settings);
  const stored: PartialCustomization = differences(DEFAULT_CUSTOMIZATION, effective);
  // Beside `default`, an absent `system` would be `false`.
  return stored.themes?.default === undefined
    ? stored
    : { ...stored, themes: { ...stored.themes, system: effective.themes.system } };
}

function differences(model: Group, settings: Group): Group {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    const inner = model[name];
    if (isDeepStrictEqual(inner, value)) continue;
    result[name] = isGroup(name, inner) && isObject(value) ? differences(inner, value) : value;
  }
  return result;
}

function combined(model: Group, under: Group, over: Group): Group {
  const result: Record<string, unknown> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const inner = model[name];
    result[name] =
      isGroup(name, inner) && isObject(value) ? combined(inner, under[name] as Group, value) : value;
  }
  return result;
}

/** The overrides of a site space after a change: `null` removes one, an absent member stays as it is. */
export const patchedOverrides = (
  overrides: PartialCustomization,
  patch: CustomizationPatch,
): PartialCustomization => patched(DEFAULT_CUSTOMIZATION, overrides, patch) as PartialCustomization;

function patched(model: Group, overrides: Group, patch: Group): Group {
  const result: Record<string, unknown> = { ...overrides };
  for (const [name, value] of Object.entries(patch)) {
    const inner = model[name];
    const next =
      isGroup(name, inner) && isObject(value)
        ? patched(inner, (overrides[name] ?? {}) as Group, value)
        : value;
    if (next === null || (isGroup(name, inner) && isObject(next) && Object.keys(next).length === 0))
      delete result[name];
    else result[name] = next;
  }
  return result;
}
