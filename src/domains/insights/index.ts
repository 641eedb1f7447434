export { flushInsights, startFlushing } from './flush.ts';
export { InsightsBuffer, recordFeedback, recordSearch, recordView } from './record.ts';
