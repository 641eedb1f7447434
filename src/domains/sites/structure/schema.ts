import Type from 'typebox';
import { idOf } from '../../../platform/api/resource.ts';
import { line, listQuery, named, nullable } from '../../../platform/api/schema.ts';
import { shareKey, Space, spaces } from '../../spaces/index.ts';
import { siteSectionGroups, siteSections, siteSpaces } from '../policy.ts';
import { Path, published } from '../schema.ts';

const Condition = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Expression over the claims of a visitor; where it is false, the item is hidden',
});
const Icon = line(0, 50);
const draft = Type.Literal(false, { description: 'There are no drafts of the structure' });

export const ShareKeyQuery = Type.Object({ shareKey });

export const SiteSpace = named('SiteSpace', {
  object: Type.Literal('site-space'),
  id: Type.String(),
  draft,
  path: Type.String(),
  section: Type.Optional(Type.String({ description: 'Id of its section' })),
  space: Space,
  title: Type.String(),
  default: Type.Boolean({ description: 'Whether it is the default of its section, or of the site' }),
  condition: Type.Optional(Type.String()),
  urls: published,
});

export const SiteSpacesQuery = Type.Object({
  shareKey,
  ...listQuery,
  default: Type.Optional(
    Type.Boolean({ description: '`true` lists only default site spaces, `false` only others' }),
  ),
});

export const NewSiteSpace = Type.Object({
  spaceId: idOf(spaces, 'admin', { scope: 'space:permissions:write' }),
  sectionId: Type.Optional({
    ...idOf(siteSections, 'admin'),
    description: 'Site section id; default: the default section, or the root of a site without sections',
  }),
});

export const SiteSpacePatch = Type.Object({
  path: Type.Optional(Path),
  condition: Type.Optional(nullable(Condition)),
  spaceId: Type.Optional(idOf(spaces, 'admin', { scope: 'space:permissions:write' })),
});

export const SiteSection = named('SiteSection', {
  object: Type.Literal('site-section'),
  id: Type.String(),
  draft,
  title: Type.String(),
  description: Type.Optional(Type.String()),
  default: Type.Boolean({ description: 'Whether it is the default section of the site' }),
  path: Type.String(),
  condition: Type.Optional(Type.String()),
  sectionGroup: Type.Optional(Type.String({ description: 'Id of its group' })),
  siteSpaces: Type.Array(SiteSpace),
  urls: published,
  icon: Type.Optional(Type.String()),
});

export const SiteSectionsQuery = Type.Object({ shareKey, ...listQuery });

export const NewSiteSection = Type.Object({
  spaceId: idOf(spaces, 'admin', { scope: 'space:permissions:write' }),
  title: Type.Optional({ ...nullable(line(2, 128)), description: 'Default: the title of the space' }),
  icon: Type.Optional(nullable(Icon)),
});

export const SiteSectionPatch = Type.Object({
  title: Type.Optional(line(2, 128)),
  path: Type.Optional(Path),
  defaultSiteSpace: Type.Optional(idOf(siteSpaces, 'admin')),
  condition: Type.Optional(nullable(Condition)),
  icon: Type.Optional(nullable(Icon)),
  description: Type.Optional(nullable(line(0, 256))),
  siteSectionGroupId: Type.Optional({
    ...nullable(idOf(siteSectionGroups, 'admin')),
    description: 'Id of the group to move it to; `null`: the root of the site',
  }),
});

const StructureItem = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

export const SiteSectionGroup = named('SiteSectionGroup', {
  object: Type.Literal('site-section-group'),
  id: Type.String(),
  draft,
  title: Type.String(),
  icon: Type.Optional(Type.String()),
  sectionGroup: Type.Optional(Type.String({ description: 'Id of the group that contains it' })),
  sections: Type.Array(SiteSection, { description: 'Use `children`' }),
  children: Type.Array(StructureItem, {
    description: 'Objects SiteSection and SiteSectionGroup, in their order',
  }),
});

export const NewSiteSectionGroup = Type.Object({
  title: line(1, 100),
  icon: Type.Optional(nullable(Icon)),
  sections: Type.Optional(Type.Array(idOf(siteSections, 'admin'), { maxItems: 500 })),
  parent: Type.Optional({ ...idOf(siteSectionGroups, 'admin'), description: 'Id of the group to add it to' }),
});

export const SiteSectionGroupPatch = Type.Object({
  title: Type.Optional(line(1, 100)),
  icon: Type.Optional(nullable(Icon)),
  parentSectionGroupId: Type.Optional({
    ...nullable(idOf(siteSectionGroups, 'admin')),
    description: 'Id of the group to move it to; `null`: the root of the site',
  }),
});

export const GroupMember = Type.Object({ sectionId: idOf(siteSections, 'admin') });

export const SiteStructure = named('SiteStructure', {
  type: Type.Enum(['sections', 'siteSpaces']),
  structure: Type.Array(StructureItem, {
    description: 'Objects SiteSection and SiteSectionGroup, or SiteSpace, in their order',
  }),
});

const SectionPointer = Type.Object({
  type: Type.Literal('site-section'),
  id: idOf(siteSections, 'admin'),
});
const GroupPointer = Type.Object({
  type: Type.Literal('site-section-group'),
  id: idOf(siteSectionGroups, 'admin'),
});
const SpacePointer = Type.Object({ type: Type.Literal('site-space'), id: idOf(siteSpaces, 'admin') });

const positionOf = <S extends Type.TSchema>(pointer: S) =>
  Type.Object(
    { before: Type.Optional(pointer), after: Type.Optional(pointer) },
    { description: 'Item to place it before or after; default: last', examples: [{}] },
  );
const moveOf = <S extends Type.TSchema>(pointer: S) =>
  Type.Object({ position: Type.Optional(positionOf(pointer)) });

export const SectionMove = moveOf(
  Type.Object({ type: Type.Literal('site-section'), siteSection: idOf(siteSections, 'admin') }),
);
export const SectionGroupMove = moveOf(Type.Union([SectionPointer, GroupPointer]));
export const SiteSpaceMove = moveOf(
  Type.Object({ type: Type.Literal('site-space'), siteSpace: idOf(siteSpaces, 'admin') }),
);

const ItemPointer = Type.Union([SpacePointer, SectionPointer, GroupPointer]);
export const StructureSort = Type.Object({ item: ItemPointer, position: positionOf(ItemPointer) });

/** One of SiteSpace, SiteSection and SiteSectionGroup. */
export const SortedItem = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'The item: SiteSpace, SiteSection or SiteSectionGroup',
});
