import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { HeavyProcess } from '../heavy/heavy-process.ts';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** Served on the socket of the heavy process only. */
export const METRICS_OF_HEAVY = '/metrics.json';

const WAIT_MS = 1_000;

/** The metrics of the heavy process; none while it is being replaced. */
export const metricsOfHeavy = ({ perform }: Pick<HeavyProcess, 'perform'>): Promise<Metrics> =>
  Promise.race([perform(ask).catch(() => []), delay(WAIT_MS, [], { ref: false })]);

const ask = (socketPath: string): Promise<Metrics> =>
  new Promise((resolve, reject) => {
    get({ socketPath, path: METRICS_OF_HEAVY, agent: false }, (response) => {
      text(response)
        .then((json) => resolve(JSON.parse(json) as Metrics))
        .catch(reject);
    }).on('error', reject);
  });

/** Joins the metrics of processes. Only values of the heavy process have the label `process`. */
export const together = (processes: readonly Metrics[]): Promise<string> =>
  AggregatorRegistry.aggregate(
    processes.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'sum' as const }))),
  ).metrics();
