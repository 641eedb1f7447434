import { fill } from '../locales/index.ts';
import { brand } from './brand.ts';
import { markup, type Html } from './markup.ts';
import { linkAttributes, type View } from './view.ts';

const PRODUCT = 'Octavo';

export function siteFooter(view: View): Html | false {
  const { site, words } = view;
  const { footer, trademark, privacyPolicy } = site.customization;
  const { footerGroups } = site;
  const groups =
    footerGroups.length > 0 &&
    markup`<div class="groups"><div class="brand">${brand(view, footer.logo ?? site.customization.header.logo)}</div>${footerGroups.map((group) => markup`<div><h2>${group.title}</h2><ul>${group.links.map((link) => markup`<li><a${linkAttributes(view, link.href)}>${link.title}</a></li>`)}</ul></div>`)}</div>`;
  const lines = [
    footer.copyright && markup`<span>${footer.copyright}</span>`,
    privacyPolicy.url && markup`<a${linkAttributes(view, privacyPolicy.url)}>${words.privacy}</a>`,
    trademark.enabled && markup`<span>${fill(words.trademark, PRODUCT)}</span>`,
  ].filter((line) => line instanceof Object);
  if (!groups && lines.length === 0) return false;
  return markup`<footer class="footer"><div class="shell">${groups}${lines.length > 0 && markup`<p class="last">${lines}</p>`}</div></footer>`;
}
