import { statfs } from 'node:fs/promises';
import { Gauge, type Metric } from 'prom-client';
import { VERSION } from './version.ts';

/** Metrics of the build and of the machine, besides those of the process itself. */
export const processMetrics = (dataDirectory: string): readonly Metric[] => [
  new Gauge({
    name: 'octavo_build_info',
    help: 'The version of Octavo and of Node as labels; the value is 1',
    labelNames: ['version', 'node'],
    collect() {
      this.set({ version: VERSION, node: process.versions.node }, 1);
    },
    registers: [],
  }),
  new Gauge({
    name: 'octavo_disk_free_bytes',
    help: 'Free space on the disk of the data directory',
    async collect() {
      // Absent where there is no such directory: with DATABASE_URL, it may not be needed.
      this.remove();
      const disk = await statfs(dataDirectory).catch(() => undefined);
      if (disk) this.set(disk.bavail * disk.bsize);
    },
    registers: [],
  }),
];
