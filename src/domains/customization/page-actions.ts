import type { Customization, CustomizationPatch, PageAction, PartialCustomization } from './schema.ts';

/** The setting that switches an action. There is no assistant to switch. */
const SWITCHES = {
  'external-ai': ['pageActions', 'externalAI'],
  markdown: ['pageActions', 'markdown'],
  mcp: ['pageActions', 'mcp'],
  git: ['git', 'showEditLink'],
  pdf: ['pdf', 'enabled'],
} as const;

const SWITCHED = Object.entries(SWITCHES) as [
  keyof typeof SWITCHES,
  (typeof SWITCHES)[keyof typeof SWITCHES],
][];

type Settings = { readonly [group: string]: { readonly [name: string]: unknown } | null | undefined };

/** `pageActions.items` has the order of the actions; the switches, which are older, say which ones there are. */
export function orderedActions(settings: Customization): PageAction[] {
  const groups = settings as unknown as Settings;
  const isOff = (action: PageAction) =>
    SWITCHED.some(([name, [group, member]]) => name === action && groups[group]?.[member] === false);
  const listed = [...new Set([...settings.pageActions.items, ...SWITCHED.map(([name]) => name)])];
  return listed.filter((action) => !isOff(action));
}

/**
 * Sets the switches of a request that has `items`, so that clients that know one of the two find the same. A switch of the
 * request that differs from the setting in force is a change, and is kept.
 */
export function withSwitches<C extends PartialCustomization | CustomizationPatch>(
  request: C,
  inForce: Customization,
): C {
  const items = request.pageActions?.items;
  if (items === undefined) return request;
  const [requested, current] = [request as Settings, inForce as unknown as Settings];
  const changed: Record<string, Record<string, unknown> | null> = {};
  for (const [action, [group, member]] of SWITCHED) {
    const given = requested[group]?.[member];
    const isChange = typeof given === 'boolean' && given !== current[group]?.[member];
    const value = isChange ? given : items === null ? (given ?? null) : items.includes(action);
    changed[group] = { ...requested[group], ...changed[group], [member]: value };
  }
  return { ...request, ...changed };
}
