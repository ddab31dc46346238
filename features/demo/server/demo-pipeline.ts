import type { z } from 'zod'
import type { createPipeline } from '@headwater/pipelines/contract'
import { demoInsightGroup } from './demo-data.ts'
import { demoStockInsightName } from './demo-stock-insight.ts'

/** Name of the pipeline of the demo workspace. */
export const demoPipelineName = 'Check and mail stock prices'
/** Files that runs of the demo pipeline store in {@link demoInsightGroup}. */
export const demoPipelineFiles = ['microsoft.csv', 'microsoft-checked.csv', 'stock-report.html']

const groupName = demoInsightGroup.name
const [fetched, checked, tiles, html, text] = [
  '${0c9d1c5e-1f0c-4d2b-9c53-3f2d7e0b1a01}',
  '${0c9d1c5e-1f0c-4d2b-9c53-3f2d7e0b1a02}',
  '${0c9d1c5e-1f0c-4d2b-9c53-3f2d7e0b1a03}',
  '${0c9d1c5e-1f0c-4d2b-9c53-3f2d7e0b1a04}',
  '${0c9d1c5e-1f0c-4d2b-9c53-3f2d7e0b1a05}',
]

const note = `This pipeline works without a network: its first task reads a demo series. To use your own data, replace it by an HTTP request. Press Run to try it. Without a mail server the last task writes its e-mail to the mail log and ends with a warning.`

/**
 * Returns the request body that creates the demo pipeline: it reads prices, checks them, stores them as series, reads
 * an insight and mails it. It has no schedule.
 * @param recipient e-mail address of the report
 */
export function demoPipeline(recipient: string): z.input<NonNullable<typeof createPipeline.body>> {
  const series = { groupName: 'Stock prices', symbols: { Ticker: 'MSFT' }, column: 'Close' }
  return {
    name: demoPipelineName,
    groupName,
    tags: ['demo'],
    payload: JSON.stringify({
      positions: {
        fetch: { x: -64, y: 0 },
        check: { x: 192, y: 0 },
        store: { x: 448, y: 0 },
        insight: { x: -64, y: 320 },
        report: { x: 192, y: 320 },
        mail: { x: 448, y: 320 },
      },
      comments: [{ id: 'about', text: note, author: recipient, position: { x: -64, y: -64 } }],
      commentsVisible: true,
    }),
    tasks: [
      task('fetch', 'Fetch prices', 'query-series', {
        inputs: { Series: JSON.stringify(series), Group: groupName, 'File name': demoPipelineFiles[0]! },
        outputs: { File: fetched! },
      }),
      task('check', 'Check prices', 'check-file', {
        inputs: {
          'File to check': fetched!,
          Columns: JSON.stringify(['Ticker', 'Date(UTC)', 'Close']),
          'Minimum rows': '100',
          'Unique columns': JSON.stringify(['Ticker', 'Date(UTC)']),
          'Number column': 'Close',
          Minimum: '0',
          'Date column': 'Date(UTC)',
          'Longest gap': '40d',
        },
        outputs: { File: checked! },
      }),
      task('store', 'Store as series', 'store-series', {
        inputs: { 'File to store': checked!, Group: groupName, 'File name': demoPipelineFiles[1]! },
      }),
      task('insight', 'Read the insight', 'tile-downloader', {
        inputs: { groupName, fileName: `${demoStockInsightName}.json` },
        outputs: { tiles: tiles! },
        after: 'store',
      }),
      task('report', 'Create report', 'generic-html-template', {
        inputs: { tiles: tiles!, title: 'Stock prices', groupName, outputFile: demoPipelineFiles[2]! },
        outputs: { file: html!, text: text! },
      }),
      task('mail', 'Mail report', 'email-sender', {
        inputs: { subject: 'Stock prices', recipients: recipient, bodyFile: html!, text: text! },
      }),
    ],
  }
}

function task(
  id: string,
  taskReadableName: string,
  taskName: string,
  {
    inputs,
    outputs = {},
    after,
  }: { inputs: Record<string, string>; outputs?: Record<string, string>; after?: string },
) {
  return {
    id,
    taskReadableName,
    taskName,
    ...(after === undefined ? {} : { prevTasks: [{ id: after }] }),
    taskOverrides: {
      params: [
        ...Object.entries(inputs).map(([name, value]) => ({ name, value })),
        ...Object.entries(outputs).map(([name, value]) => ({ name, type: 'OUTPUT' as const, value })),
      ],
    },
  }
}
