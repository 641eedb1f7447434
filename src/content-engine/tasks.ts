import { bodyTasks } from './merge/index.ts';
import { analyse, type Section, type Warning } from './markdown/index.ts';

/** What is stored and indexed of a body, without its document. */
export interface BodyAnalysis {
  readonly sections: readonly Section[];
  /** Each address once. */
  readonly hrefs: readonly string[];
  readonly warnings: readonly Warning[];
}

function analyseBody(body: string): BodyAnalysis {
  const { sections, hrefs, warnings } = analyse(body);
  return { sections, hrefs: [...new Set(hrefs.map(({ href }) => href))], warnings };
}

/**
 * The functions of the engine that run in threads, by name. Each takes one argument that can be copied between threads,
 * and answers what can be copied; a large answer is bytes.
 */
export const tasks = { analyseBody, ...bodyTasks };
