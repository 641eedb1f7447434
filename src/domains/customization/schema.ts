import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { line, named, nullable } from '../../platform/api/schema.ts';
import { spaces } from '../spaces/index.ts';
import { sidebar, styling, ThemedColor, ThemedUrl, url } from './styling/schema.ts';

const LOCALES = ['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'] as const;

const EntryId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });

const OwnSpace = Type.Optional({
  ...idOf(spaces, 'view'),
  description: 'Space id. Default: the space of the site space, or of the default site space of the site',
});

/** The targets of the public API that have an address on a site. */
export const LinkTarget = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('url'),
      url: Type.String({
        maxLength: 2048,
        pattern:
          '^([Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]|[Mm][Aa][Ii][Ll][Tt][Oo]:[^\\s?@]+@)[^\\s\\u0000-\\u001f]*$',
        description: 'With http:, https: or mailto:',
      }),
    }),
    Type.Object({ kind: Type.Literal('space'), space: idOf(spaces, 'view') }),
    Type.Object({ kind: Type.Literal('page'), space: OwnSpace, page: EntryId }),
    Type.Object({
      kind: Type.Literal('anchor'),
      space: OwnSpace,
      page: EntryId,
      anchor: line(1, 256),
    }),
    Type.Object({ kind: Type.Literal('file'), space: OwnSpace, file: EntryId }),
  ],
  { examples: [{ kind: 'url', url: 'https://sample.example/' }] },
);
export type LinkTarget = Static<typeof LinkTarget>;

const Link = named('CustomizationContentLink', { title: line(1, 64), to: LinkTarget });

const HeaderItem = named('CustomizationHeaderItem', {
  title: line(1, 64),
  style: Type.Optional(Type.Enum(['link', 'button-primary', 'button-secondary'])),
  to: nullable(LinkTarget),
  links: Type.Array(Link, { maxItems: 50, description: 'Links of a menu' }),
  condition: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'Expression; the item is shown to visitors for whom it is true',
      examples: ['visitor.claims.plan === "pro"'],
    }),
  ),
});

const FooterGroup = named('CustomizationFooterGroup', {
  title: line(0, 64),
  links: Type.Array(Link, { maxItems: 50 }),
});

const PAGE_ACTIONS = ['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf'] as const;
export type PageAction = (typeof PAGE_ACTIONS)[number];

const SocialAccount = named('SiteSocialAccount', {
  platform: Type.Enum([
    'twitter',
    'instagram',
    'facebook',
    'linkedin',
    'github',
    'discord',
    'slack',
    'youtube',
    'tiktok',
    'reddit',
    'bluesky',
    'mastodon',
    'threads',
    'medium',
  ]),
  handle: line(1, 128),
  display: Type.Object({ footer: Type.Boolean(), header: Type.Boolean() }),
});

const SocialAccounts = Type.Array(SocialAccount, { maxItems: 10 });

const Favicon = Type.Union([
  Type.Object({ icon: ThemedUrl }),
  Type.Object({ emoji: line(1, 50) }),
  Type.Object({}, { additionalProperties: false }),
]);

const Announcement = named('CustomizationAnnouncement', {
  enabled: Type.Boolean(),
  message: line(2, 128),
  link: Type.Optional(Link),
  style: Type.Enum(['info', 'warning', 'danger', 'success']),
});

/** The settings by group. Each group becomes three schemas: of the response, of PUT and of PATCH. */
const groups = {
  internationalization: { locale: Type.Enum([...LOCALES]) },
  header: {
    preset: Type.Enum(['default', 'bold', 'contrast', 'custom', 'none']),
    logo: Type.Optional(ThemedUrl),
    backgroundColor: Type.Optional(ThemedColor),
    linkColor: Type.Optional(ThemedColor),
    links: Type.Array(HeaderItem, { maxItems: 50 }),
  },
  footer: {
    logo: Type.Optional(ThemedUrl),
    groups: Type.Array(FooterGroup, { maxItems: 20 }),
    copyright: Type.Optional(line(0, 300)),
  },
  themes: {
    default: Type.Enum(['light', 'dark']),
    toggeable: Type.Boolean({ description: 'Whether readers can switch between light and dark' }),
    system: Type.Boolean({
      description:
        'Whether pages begin with the theme of the reader’s system instead of `default`. Left out beside `default`: `false`',
    }),
  },
  pdf: { enabled: Type.Boolean() },
  feedback: { enabled: Type.Boolean() },
  ai: { mode: Type.Enum(['none', 'search', 'assistant']) },
  advancedCustomization: { enabled: Type.Boolean() },
  git: { showEditLink: Type.Boolean() },
  pageActions: {
    externalAI: Type.Boolean(),
    markdown: Type.Boolean(),
    mcp: Type.Boolean(),
    items: Type.Array(Type.Enum([...PAGE_ACTIONS]), {
      maxItems: 20,
      description:
        'The actions in their order. They are also switched by `externalAI`, `markdown`, `mcp`, `git.showEditLink` and `pdf.enabled`',
    }),
  },
  externalLinks: { target: Type.Enum(['self', 'blank']) },
  pagination: { enabled: Type.Boolean() },
  trademark: { enabled: Type.Boolean() },
  privacyPolicy: { url: Type.Optional(url()) },
  socialPreview: { url: Type.Optional(url('Picture for previews of links')) },
  insights: { trackingCookie: Type.Boolean({ description: 'Stored; no cookie is set to count readers' }) },
};

const Title = line(2, 128);

type Groups = Readonly<Record<string, TProperties>>;

const mapped = <G extends Groups>(of: G, schemaOf: (group: TProperties) => TSchema) =>
  Object.fromEntries(Object.entries(of).map(([name, group]) => [name, schemaOf(group)]));

/** Every member is required that is not optional by itself. */
const complete = <G extends Groups>(of: G) =>
  mapped(of, (group) => Type.Object(group)) as { [K in keyof G]: TObject<G[K]> };

const settings = {
  title: Type.Optional(Title),
  styling: Type.Object({ ...styling, sidebar: Type.Object(sidebar) }),
  favicon: Favicon,
  announcement: Type.Optional(Announcement),
  socialAccounts: SocialAccounts,
  ...complete(groups),
};

export const Customization = named('SiteCustomization', settings);
export type Customization = Static<typeof Customization>;

export const SiteSpaceCustomization = named('SiteSpaceCustomization', {
  ...settings,
  hasOverrides: Type.Boolean({ description: 'Whether a setting differs from those of the site' }),
});

/** Settings of a group, of which some may be absent. */
type Some<T> = { readonly [K in keyof T]?: T[K] };
type GroupName = 'styling' | keyof typeof groups;

/** Any part of the settings: what a site sets beyond the defaults, or a site space beyond its site. */
export type PartialCustomization = {
  readonly [K in keyof Customization]?: K extends 'styling'
    ? Some<Omit<Customization['styling'], 'sidebar'>> & {
        readonly sidebar?: Some<Customization['styling']['sidebar']>;
      }
    : K extends GroupName
      ? Some<Customization[K]>
      : Customization[K];
};

const someOf = (group: TProperties): TSchema => Type.Optional(Type.Partial(Type.Object(group)));

export const NewCustomization = Type.Unsafe<PartialCustomization>(
  Type.Object({
    title: Type.Optional(Title),
    styling: someOf({ ...styling, sidebar: Type.Partial(Type.Object(sidebar)) }),
    favicon: Type.Optional(Favicon),
    announcement: Type.Optional(Announcement),
    socialAccounts: Type.Optional(SocialAccounts),
    ...mapped(groups, someOf),
  }),
);

/** `null`: inherit. */
type Overrides<T> = { readonly [K in keyof T]?: T[K] | null };

export type CustomizationPatch = {
  readonly [K in keyof Customization]?:
    | null
    | (K extends 'styling'
        ? Overrides<Omit<Customization['styling'], 'sidebar'>> & {
            readonly sidebar?: Overrides<Customization['styling']['sidebar']> | null;
          }
        : K extends GroupName
          ? Overrides<Customization[K]>
          : Customization[K]);
};

const overridesOf = (group: TProperties): TSchema =>
  Type.Optional(
    nullable(
      Type.Object(
        Object.fromEntries(
          Object.entries(group).map(([name, member]) => [name, Type.Optional(nullable(member))]),
        ),
      ),
    ),
  );

export const CustomizationPatch = Type.Unsafe<CustomizationPatch>(
  Type.Object({
    title: Type.Optional(nullable(Title)),
    styling: overridesOf({ ...styling, sidebar: overridesOf(sidebar) }),
    favicon: Type.Optional(nullable(Favicon)),
    announcement: Type.Optional(nullable(Announcement)),
    socialAccounts: Type.Optional(nullable(SocialAccounts)),
    ...mapped(groups, overridesOf),
  }),
);
