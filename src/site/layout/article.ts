import { contentIcon, drawing } from '../icons/icon.ts';
import { dateText } from '../locales/index.ts';
import type { Cover, Link, PageView, Tag } from '../model.ts';
import { themedImage } from './brand.ts';
import { attributes, markup, rendered, type Html, type Part } from './markup.ts';
import { pageActions } from './page-actions.ts';
import { linkAttributes, type View } from './view.ts';

export function article(view: View, page: PageView): Html {
  const hasCover = page.cover && page.layout.cover && page.cover.size === 'hero';
  return markup`
    <article>
      ${hasCover && cover(page.cover)}
      ${pageHead(view, page)}
      <div class="prose">${rendered(page.body.html)}</div>
      ${pageFoot(view, page)}
    </article>`;
}

/** Offsets become eleven steps, because a style attribute is not allowed. */
export function cover({ light, dark, yPos, size }: Cover): Html {
  const step = Math.round(Math.min(100, Math.max(0, 50 - yPos / 4.8)) / 10);
  const own = attributes({
    class: size === 'full' ? 'cover full' : 'cover',
    'data-y': step === 5 ? undefined : step,
  });
  return markup`<div${own}>${themedImage({ light, dark }, { class: 'picture', alt: '' })}</div>`;
}

/** The title is always there for assistive technology, also where the layout does not show it. */
function pageHead(view: View, page: PageView): Html {
  const { layout, description, tags = [], body } = page;
  return markup`
    <header class="head">
      ${layout.title && breadcrumbs(view, page.breadcrumbs)}
      ${layout.title && pageActions(view, page)}
      <h1${attributes({ class: !layout.title && 'hidden' })}>
        ${layout.title && contentIcon(view.site, page.icon)}
        <span>${page.title}</span>
      </h1>
      ${layout.description && !body.saysDescription && description && markup`<p>${description}</p>`}
      ${tags.length > 0 && markup`<ul class="tags">${tags.map((tag) => tagItem(view, tag))}</ul>`}
    </header>`;
}

const tagItem = (view: View, { label, tone, icon }: Tag): Html =>
  markup`<li class="badge" data-tone="${tone}">${contentIcon(view.site, icon)}${label}</li>`;

export function breadcrumbs(view: View, crumbs: readonly Link[]): Html | false {
  if (crumbs.length === 0) return false;
  // A group has no page.
  const crumb = ({ title, href }: Link): Part =>
    href === '' ? title : markup`<a${linkAttributes(view, href)}>${title}</a>`;
  return markup`
    <nav class="crumbs" aria-label="${view.words.breadcrumb}">
      <ol>${crumbs.map((entry) => markup`<li>${crumb(entry)}</li>`)}</ol>
    </nav>`;
}

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
  return markup`
    <form class="feedback" method="post" action="${action}">
      ${Object.entries(fields).map(([name, value]) => markup`<input type="hidden"${attributes({ name, value })}>`)}
      <fieldset>
        <legend>${words.helpful}</legend>
        <button class="button small" name="rating" value="good">${drawing('yes')}${words.yes}</button>
        <button class="button small" name="rating" value="bad">${drawing('yes', 'turn')}${words.no}</button>
      </fieldset>
      <p class="thanks" hidden>${words.thanks}</p>
      ${info}
      <div class="comment" hidden>
        <label>${words.comment}<textarea name="comment" maxlength="512" rows="2"></textarea></label>
        <button class="button small" name="rating">${words.send}</button>
      </div>
    </form>`;
}

function metadata(view: View, { updatedAt, editHref }: PageView): Html | false {
  const { words, locale, site } = view;
  const hasEdit = editHref !== undefined && site.customization.git.showEditLink;
  if (updatedAt === undefined && !hasEdit) return false;
  const [before, after] = words.updated.split('{}');
  return markup`
    <span class="meta">
      ${updatedAt !== undefined && markup`<span>${before}<time datetime="${updatedAt.slice(0, 10)}">${dateText(updatedAt, locale)}</time>${after}</span>`}
      ${hasEdit && markup`<a class="link"${linkAttributes(view, editHref)}>${words.edit}</a>`}
    </span>`;
}

export function pager(view: View, previous: Link | undefined, next: Link | undefined): Html | false {
  if (!previous && !next) return false;
  const { words } = view;
  return markup`
    <nav class="pager" aria-label="${words.pager}">
      ${
        previous &&
        markup`
        <a rel="prev"${linkAttributes(view, previous.href)}>
          <small>${drawing('left', 'flip')}${words.previous}</small>
          ${previous.title}
        </a>`
      }
      ${
        next &&
        markup`
        <a rel="next"${linkAttributes(view, next.href)}>
          <small>${words.next}${drawing('right', 'flip')}</small>
          ${next.title}
        </a>`
      }
    </nav>`;
}
