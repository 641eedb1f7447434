import { addressesOf } from '../../addresses.ts';
import { outboundOf } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { checkSpace, type LinkReport } from '../../domains/links/index.ts';
import { createStorageCaches } from '../../domains/content-store/index.ts';
import { findSpace } from '../../domains/spaces/index.ts';
import { createLog } from '../../log.ts';
import { onInstallation } from '../administer.ts';
import { CommandError, UsageError, type Command } from '../command.ts';
import { createProgressBar, visible } from './progress.ts';
import { stopRequested } from '../signals.ts';
import { table } from '../table.ts';

export const checkLinksCommand: Command = {
  name: 'check-links',
  summary: 'Check the external links of a space. Prints URLs with problems and the pages that have them.',
  options: {
    'fail-on': 'broken: exit with 1 if a link is broken (default: broken links are a result, exit with 0)',
  },
  arguments: ['space'],
  async run({ space = '', 'fail-on': failOn }, output) {
    if (failOn !== undefined && failOn !== 'broken') throw new UsageError('--fail-on must be broken.');
    const abort = new AbortController();
    void stopRequested().then(() => abort.abort());
    const config = readConfig();
    const isBar = process.stderr.isTTY === true && !output.json;
    const bar = createProgressBar(process.stderr, { isBar, label: 'Checking' });
    const report = await onInstallation(async (db) => {
      if (!(await findSpace(db, space))) throw new CommandError(`There is no space ${space}.`);
      const caches = createStorageCaches();
      const services = {
        outbound: outboundOf(config),
        addresses: addressesOf(config),
        log: createLog(config),
      };
      return checkSpace({ db, isFront: false, caches, ...services }, space, {
        signal: abort.signal,
        onProgress: (count) => bar.update(count),
      });
    }).finally(() => bar.clear());
    if (report === 'running')
      throw new CommandError('The links of this space are being checked already. Try again later.');
    output.result(report, textOf(report));
    if (!report.isComplete)
      throw new CommandError('Stopped before all URLs were checked. Run the command again to continue.');
    if (failOn && report.broken > 0) throw new CommandError(`Broken URLs: ${report.broken}.`);
  },
};

function textOf({ total, checked, broken, problems }: LinkReport): string {
  const others = problems.length - broken;
  const summary = `${total} URLs, ${checked} of them checked now: ${broken} broken, ${others} with another problem.`;
  if (problems.length === 0) return summary;
  const rows = problems.map(({ url, status, problem, pages, pageCount }) => {
    const more = pageCount > pages.length ? `, ${pageCount - pages.length} more` : '';
    const names = pages.map(({ title, path }) => path ?? title).join(', ') + more;
    return [status, url, names, problem].map(visible);
  });
  return `${summary}\n\n${table(['status', 'url', 'pages', 'problem'], rows)}`;
}
