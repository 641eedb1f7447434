import { fill } from '../../locales/index.ts';
import type { SiteView } from '../../model.ts';
import { brand } from '../brand.ts';
import { markup, type Html } from '../markup.ts';
import { linkAttributes, type View } from '../view.ts';

const PRODUCT = 'Octavo';

export function siteFooter(view: View): Html | false {
  const { site, words } = view;
  const { footer, header, trademark, privacyPolicy } = site.customization;
  const lines = [
    footer.copyright && markup`<span>${footer.copyright}</span>`,
    privacyPolicy.url && markup`<a${linkAttributes(view, privacyPolicy.url)}>${words.privacy}</a>`,
    trademark.enabled && markup`<span>${fill(words.trademark, PRODUCT)}</span>`,
  ].filter((line) => line instanceof Object);
  const hasGroups = site.footerGroups.length > 0 || footer.logo !== undefined;
  if (!hasGroups && lines.length === 0) return false;
  const groups = markup`
    <div class="groups">
      <div class="brand">${brand(view, footer.logo ?? header.logo)}</div>
      ${site.footerGroups.map((group) => linkGroup(view, group))}
    </div>`;
  return markup`
    <footer class="footer">
      <div class="shell">
        ${hasGroups && groups}
        ${lines.length > 0 && markup`<p class="last">${lines}</p>`}
      </div>
    </footer>`;
}

const linkGroup = (view: View, { title, links }: SiteView['footerGroups'][number]): Html => markup`
  <div>
    ${title && markup`<h2>${title}</h2>`}
    <ul>${links.map((link) => markup`<li><a${linkAttributes(view, link.href)}>${link.title}</a></li>`)}</ul>
  </div>`;
