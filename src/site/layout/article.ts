import { contentIcon, drawing } from '../icons/icon.ts';
import { dateText } from '../locales/index.ts';
import type { Cover, Link, PageView } from '../model.ts';
import { themedImage } from './brand.ts';
import { attributes, markup, rendered, type Html } from './markup.ts';
import { pageActions } from './page-actions.ts';
import { linkAttributes, type View } from './view.ts';

export function article(view: View, page: PageView): Html {
  const hasCover = page.cover && page.layout.cover && page.cover.size === 'hero';
  return markup`<article>${hasCover && cover(page.cover)}${pageHead(view, page)}<div class="prose">${rendered(page.body.html)}</div>${pageFoot(view, page)}</article>`;
}

/** Offsets become eleven steps, because a style attribute is not allowed. */
export function cover({ light, dark, yPos, size }: Cover): Html {
  const step = Math.round(Math.min(100, Math.max(0, 50 - yPos / 4.8)) / 10);
  return markup`<div${attributes({ class: size === 'full' ? 'cover full' : 'cover', 'data-y': step === 5 ? undefined : step })}>${themedImage({ light, dark }, { class: 'picture', alt: '' })}</div>`;
}

function pageHead(view: View, page: PageView): Html {
  const { layout } = page;
  const title = markup`<h1${attributes({ class: !layout.title && 'hidden' })}>${layout.title && contentIcon(view.site, page.icon)}<span>${page.title}</span></h1>`;
  const actions = layout.title && pageActions(view, page);
  return markup`<header class="head">${layout.title && breadcrumbs(view, page.breadcrumbs)}${actions}${title}${layout.description && page.description && markup`<p>${page.description}</p>`}${page.tags && page.tags.length > 0 && markup`<ul class="tags">${page.tags.map((tag) => markup`<li class="badge" data-tone="${tag.tone}">${contentIcon(view.site, tag.icon)}${tag.label}</li>`)}</ul>`}</header>`;
}

export const breadcrumbs = (view: View, crumbs: readonly Link[]): Html | false =>
  crumbs.length > 0 &&
  markup`<nav class="crumbs" aria-label="${view.words.breadcrumb}"><ol>${crumbs.map((crumb) => markup`<li>${crumb.href === '' ? crumb.title : markup`<a${linkAttributes(view, crumb.href)}>${crumb.title}</a>`}</li>`)}</ol></nav>`;

function pageFoot(view: View, page: PageView): Html | false {
  const { pagination } = view.site.customization;
  const form = feedbackForm(view, page);
  const pages = pagination.enabled && page.layout.pagination && pager(view, page.previous, page.next);
  return Boolean(form || pages) && markup`<footer class="foot">${form}${pages}</footer>`;
}

function feedbackForm(view: View, page: PageView): Html | false {
  const { words, site } = view;
  const info = page.layout.metadata && metadata(view, page);
  if (!page.feedback || !site.customization.feedback.enabled)
    return Boolean(info) && markup`<div class="feedback">${info}</div>`;
  const { action, fields } = page.feedback;
  const hidden = Object.entries(fields).map(([name, value]) => markup`<input type="hidden"${attributes({ name, value })}>`);
  return markup`<form class="feedback" method="post" action="${action}">${hidden}<fieldset><legend>${words.helpful}</legend><button class="button small" name="rating" value="good">${drawing('yes')}${words.yes}</button><button class="button small" name="rating" value="bad">${drawing('yes', 'turn')}${words.no}</button></fieldset><p class="thanks" hidden>${words.thanks}</p>${info}<div class="comment" hidden><label>${words.comment}<textarea name="comment" maxlength="512" rows="2"></textarea></label><button class="button small" name="rating">${words.send}</button></div></form>`;
}

function metadata(view: View, { updatedAt, editHref }: PageView): Html | false {
  const { words, locale, site } = view;
  const [before, after] = words.updated.split('{}');
  const updated = updatedAt !== undefined && markup`<span>${before}<time datetime="${updatedAt.slice(0, 10)}">${dateText(updatedAt, locale)}</time>${after}</span>`;
  const edit = editHref && site.customization.git.showEditLink && markup`<a class="link"${linkAttributes(view, editHref)}>${words.edit}</a>`;
  return Boolean(updated || edit) && markup`<span class="meta">${updated}${edit}</span>`;
}

export const pager = (view: View, previous: Link | undefined, next: Link | undefined): Html | false =>
  Boolean(previous || next) &&
  markup`<nav class="pager" aria-label="${view.words.pager}">${previous && markup`<a rel="prev"${linkAttributes(view, previous.href)}><small>${drawing('left', 'flip')}${view.words.previous}</small>${previous.title}</a>`}${next && markup`<a rel="next"${linkAttributes(view, next.href)}><small>${view.words.next}${drawing('right', 'flip')}</small>${next.title}</a>`}</nav>`;
