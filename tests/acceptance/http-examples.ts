import { getApproval } from '@headwater/approvals/contract'
import type { Route, RouteCall } from '@headwater/contract'
import {
  createApiKey,
  createUser,
  deleteApiKey,
  deleteUserApiKeys,
  endUserSessions,
  getConfiguration,
  getOwnStorage,
  getSettings,
  getStorageLimits,
  getUser,
  listApiKeys,
  listRoles,
  listUsers,
  logIn,
  logOut,
  refreshSession,
  reportError,
  requestPasswordReset,
  updateSettings,
  updateStorageLimits,
  updateUser,
} from '@headwater/accounts/contract'
import { getDemo, getDemoRemoval } from '@headwater/demo/contract'
import {
  completeParts,
  createArchive,
  createFile,
  deleteFile,
  downloadFile,
  getFile,
  getFileSize,
  getMarkdown,
  deleteMapping,
  listFileVersions,
  listMappings,
  previewSeries,
  previewTable,
  saveMapping,
  saveMarkdown,
  listParts,
  putContent,
  putPart,
  searchFiles,
  transferOwnership,
  updateFile,
  validateNcsv,
} from '@headwater/files/contract'
import {
  createGroup,
  deleteGroup,
  getGroup,
  getGroupContents,
  listGroups,
  checkGroupShareable,
  listGroupTags,
  listGroupUsers,
  searchShareEmails,
  shareGroups,
  unshareGroup,
  updateGroup,
} from '@headwater/groups/contract'
import {
  createInsight,
  createInsightTemplate,
  deleteInsight,
  getInsight,
  getInsightTemplate,
  getInsightVersion,
  getTileData,
  listInsightTags,
  listInsightVersions,
  lookUpTemplateName,
  patchInsight,
  readInsight,
  restoreInsightVersion,
  searchInsights,
  searchInsightsByBody,
  searchInsightTemplates,
  updateInsight,
} from '@headwater/insights/contract'
import {
  listRuns,
  getPipelineHistory,
  cancelBackfill,
  getBackfill,
  getRun,
  listBackfills,
  startBackfill,
} from '@headwater/monitor/contract'
import {
  createPipeline,
  deletePipeline,
  approvePipeline,
  continuePipeline,
  declinePipeline,
  executePipeline,
  listGeneratedValues,
  repeatPipeline,
  resumePipeline,
  stopPipeline,
  saveGeneratedValue,
  executeTask,
  exportPipeline,
  findPipelineByName,
  importPipeline,
  sharePipeline,
  getPipeline,
  getPipelineByName,
  getPipelineSchedule,
  getRunLimits,
  listPipelineTags,
  listSchedules,
  listPipelineVersions,
  listPipelineVersionsByName,
  patchPipeline,
  searchPipelines,
  setPipelineSchedule,
  setRunLimits,
  updatePipeline,
} from '@headwater/pipelines/contract'
import {
  createDataPrep,
  deleteDataPrep,
  getDataPrep,
  getDataPrepByName,
  getPrepSchedule,
  listDataPrepVersions,
  listDataPrepVersionsByName,
  removePrepSchedule,
  runDataPrep,
  searchDataPreps,
  setPrepSchedule,
  stopDataPrepRun,
  updateDataPrep,
} from '@headwater/preps/contract'
import {
  assignInsightRoles,
  createPublicLink,
  endPublicLink,
  endPublicView,
  getPublicInsight,
  getPublicStatus,
  getPublicTileData,
  listPublicLinks,
  listPublicViews,
  listShared,
  listVisitors,
  shareInsight,
  unshareInsight,
  updatePublicStatus,
  validatePublicAccess,
} from '@headwater/publishing/contract'
import { findInsightExporter } from '@headwater/reports/contract'
import { downloadLog, getLog, listLogComponents } from '@headwater/logs/contract'
import { listStatusMessages, searchStatuses, sendStatus } from '@headwater/statuses/contract'
import {
  changeFormula,
  createFormula,
  deleteHolidayCalendar,
  findFormula,
  getCatalogue,
  getData,
  getHolidayCalendar,
  getIndex,
  listHolidayCalendars,
  listSymbolBranches,
  listSymbolGroups,
  listSymbolKeys,
  listSymbolsInFile,
  listSymbolValues,
  listValueColumns,
  previewFormula,
  removeSymbols,
  requestDataAccess,
  saveHolidayCalendar,
  searchSymbols,
  streamData,
  streamDataBatch,
  streamSymbols,
} from '@headwater/symbols/contract'
import { deleteTrashed, listTrash, restoreTrashed } from '@headwater/trash/contract'
import { deleteSecret, listSecrets, putSecret, rotateSecretKey } from '@headwater/secrets/contract'
import {
  createTask,
  deleteTask,
  getTask,
  getTaskHosts,
  listTaskCategories,
  listTaskDefinitions,
  listTaskHosts,
  listTaskVersions,
  processTaskExpression,
  testTask,
  searchTasks,
  updateTask,
  updateTaskHosts,
} from '@headwater/tasks/contract'
import { getUsage } from '@headwater/usage/contract'
import { listAuditRecords } from '@headwater/audit/contract'
import { drainWorker, listWorkers } from '@headwater/workers/contract'
import { getDraftTileData } from '@headwater/tile-data/contract'
import { workbookOf } from './workbook-of.ts'

/** A request of a route, as the reference shows it. Its response is in `http-example-responses.json`. */
export interface HttpExample {
  /** The route. */
  route: Route
  /** Parameters, query and body. `{{name}}` inserts a value that an earlier response has, see `saves`. */
  call: RouteCall<Route>
  /** Values of the JSON response that later requests insert: name and path, for example `{ fid: 'fileId' }`. */
  saves?: Readonly<Record<string, string>>
  /** Address of the request, if it is not the path of the route. */
  url?: string
  /** Returns the bytes of the body, which the reference does not show. */
  bytes?: () => Promise<Uint8Array<ArrayBuffer>>
  /** Waits before the request until the job with this id has the status PAUSED. */
  pausedJob?: string
  /** A request without credentials. Default: the administrator. */
  isAnonymous?: boolean
}

function example<const R extends Route>(
  route: R,
  call: RouteCall<R> | Record<string, never>,
  options: Omit<HttpExample, 'route' | 'call'> = {},
): HttpExample {
  return { route, call, ...options }
}

const group = 'Prices'
const brent = { Commodity: 'Brent' }
const series = { groupName: group, symbols: brent }
const formula = {
  groupName: group,
  symbols: { Commodity: 'Brent in euro' },
  expression: 'a * 0.92',
  inputs: [{ name: 'a', groupName: group, symbols: brent, column: 'Close' }],
}
const content = {
  tiles: [{ id: 'closing', type: 'Table', title: 'Closing prices', range: 'ALL' }],
  datapreps: { closing: { symbols: [series] } },
}
const insight = { groupName: group, insightName: 'Oil' }
const task = { name: 'Nightly', groupName: group, definitionName: 'cron-trigger' }
const trigger = {
  id: 'start',
  taskReadableName: 'Start',
  taskName: 'cron-trigger',
  taskOverrides: { params: [{ name: 'cron', value: '0 6 * * 1' }] },
}

/** Tasks before which a run pauses. */
const checks = ['prices', 'weather', 'load', 'report'].map((id) => ({
  ...trigger,
  id,
  taskReadableName: `Check ${id}`,
  prevTasks: [{ id: 'start' }],
  isPaused: true,
  onError: 'skip' as const,
}))

/** Id of a job that the test starts, with a line in its log. */
export const exampleJobId = '4b7b0b7e-2d5c-4a54-9d7c-6f7f2d1a9c55'

/** Examples in the order in which the test sends them to one server. */
export const httpExamples: readonly HttpExample[] = [
  example(getConfiguration, {}, { isAnonymous: true }),
  example(
    logIn,
    { body: { userName: 'admin@example.com', password: 'a long enough password' } },
    { isAnonymous: true, saves: { refreshToken: 'refreshToken' } },
  ),
  example(
    refreshSession,
    { body: { refreshToken: '{{refreshToken}}' } },
    { isAnonymous: true, saves: { newerToken: 'refreshToken' } },
  ),
  example(logOut, { body: { refreshToken: '{{newerToken}}' } }, { isAnonymous: true }),
  example(requestPasswordReset, { body: { email: 'ann@example.com' } }, { isAnonymous: true }),
  example(reportError, { body: { message: 'The page could not be drawn.' } }, { isAnonymous: true }),
  example(getSettings, {}),
  example(updateSettings, { body: { settings: { language: 'eng' } } }),
  example(getOwnStorage, {}),
  example(updateStorageLimits, { body: { bytesPerUser: 5_000_000_000 } }),
  example(getStorageLimits, {}),
  example(listWorkers, {}, { saves: { workerId: 'items.0.id' } }),
  example(drainWorker, { params: { workerId: '{{workerId}}' }, body: { isDraining: false } }),
  example(createApiKey, { body: { label: 'Notebook' } }, { saves: { apiKeyId: 'id' } }),
  example(listApiKeys, {}),
  example(deleteApiKey, { params: { id: '{{apiKeyId}}' } } as never),
  example(listRoles, {}),
  example(createUser, { body: { email: 'ann@example.com' } }),
  example(listUsers, {}),
  example(getUser, { params: { userName: 'ann@example.com' } }),
  example(endUserSessions, { params: { userName: 'ann@example.com' } }),
  example(deleteUserApiKeys, { params: { userName: 'ann@example.com' } }),
  example(updateUser, { params: { userName: 'ann@example.com' }, body: { active: false } }),

  example(createGroup, {
    body: { name: group, description: 'Closing prices of commodities', groupTags: ['oil'] },
  }),
  example(listGroups, { query: { name: group } }),
  example(getGroup, { params: { name: group } }),
  example(updateGroup, { params: { name: group }, body: { description: 'Daily closing prices' } }),
  example(listGroupTags, {}),
  example(checkGroupShareable, { params: { name: group } }),
  example(searchShareEmails, { params: { name: group }, query: { query: 'ben' } }),
  example(shareGroups, {
    body: { sharesList: [{ email: 'ben@example.com', access: 'R', groupName: group }] },
  }),
  example(listGroupUsers, { params: { name: group } }),
  example(unshareGroup, { body: { groupName: group, emails: ['ben@example.com'] } }),

  example(
    createFile,
    { body: { groupName: group, fileName: 'prices.ncsv', fileType: 'NCSV' } },
    { saves: { fid: 'fileId', location: 'location' } },
  ),
  example(
    putContent,
    { body: 'Commodity,Date,Close\nBrent,2026-03-02,78.5\nBrent,2026-03-03,79.25\n' } as never,
    { isAnonymous: true, url: '{{location}}' },
  ),
  example(
    createFile,
    { body: { groupName: group, fileName: 'report.txt' } },
    { saves: { partsFid: 'fileId', permit: 'permit' } },
  ),
  example(
    putPart,
    {
      params: { fid: '{{partsFid}}', number: 1 },
      query: { token: '{{permit}}' },
      body: 'Prices rose.',
    } as never,
    { isAnonymous: true },
  ),
  example(
    listParts,
    { params: { fid: '{{partsFid}}' }, query: { token: '{{permit}}' } },
    { isAnonymous: true },
  ),
  example(
    completeParts,
    { params: { fid: '{{partsFid}}' }, query: { token: '{{permit}}' }, body: { parts: 1, size: 12 } },
    { isAnonymous: true },
  ),
  example(validateNcsv, { body: 'Commodity,Date,Close\nBrent,2026-03-02,x\n' }),
  example(saveMapping, {
    body: {
      groupName: group,
      name: 'Daily prices',
      mapping: {
        separator: ',',
        decimalSign: '.',
        symbolColumns: [],
        constantSymbols: [{ name: 'Symbol', value: 'Brent' }],
        date: { column: 'Date', dateFormat: 'dd/MM/yyyy', timezone: 'Europe/London' },
        columns: [{ column: 'Price', columnType: 'Value', type: 'DB' }],
      },
    },
  }),
  example(listMappings, { query: { groupName: group } }),
  example(deleteMapping, { query: { groupName: group, name: 'Daily prices' } }),
  example(searchFiles, { query: { query: `groupName=${group}` } }),
  example(getFile, { params: { fid: '{{fid}}' } }),
  example(previewSeries, { params: { fid: '{{fid}}' } }),
  example(
    createFile,
    { body: { groupName: group, fileName: 'tanks.xlsx' } },
    { saves: { tableFid: 'fileId', tableLocation: 'location' } },
  ),
  example(
    putContent,
    {},
    { isAnonymous: true, url: '{{tableLocation}}', bytes: () => workbookOf('Tank,Level\nRotterdam,7\n') },
  ),
  example(previewTable, { params: { fid: '{{tableFid}}' } }),
  example(getFileSize, { params: { fid: '{{fid}}' } }),
  example(downloadFile, { params: { fid: '{{fid}}' } }),
  example(createArchive, { body: { fileIds: ['{{fid}}'] } }),
  example(
    createFile,
    { body: { groupName: group, fileName: 'notes.md', fileType: 'MARKDOWN' } },
    { saves: { markdownFid: 'fileId', markdownLocation: 'location' } },
  ),
  example(putContent, { body: '# Prices\n' } as never, { isAnonymous: true, url: '{{markdownLocation}}' }),
  example(getMarkdown, { params: { fid: '{{markdownFid}}' } }),
  example(saveMarkdown, { params: { fid: '{{markdownFid}}' }, body: '# Daily prices\n' } as never),
  example(listFileVersions, { params: { fid: '{{fid}}' } }),
  example(updateFile, {
    params: { fid: '{{fid}}' },
    body: { fields: [{ name: 'source', value: 'Exchange' }], basedOn: 1 },
  }),
  example(getGroupContents, { params: { name: group } }),
  example(getUsage, { query: { type: 'FILE', name: 'prices.ncsv', groupName: group, fileType: 'NCSV' } }),
  example(
    sendStatus,
    { body: { status: 'INFO', message: 'Prices are complete.', groupName: group } },
    { saves: { jobId: 'jobId' } },
  ),
  example(listStatusMessages, { params: { jobId: '{{jobId}}' }, query: {} }),
  example(searchStatuses, { query: { groupName: group } }),
  example(getLog, { params: { jobId: exampleJobId }, query: { level: 'WARN' } }),
  example(listLogComponents, { params: { jobId: exampleJobId } }),
  example(downloadLog, { params: { jobId: exampleJobId }, query: {} }),

  example(getData, { body: { keys: [series], columns: 'Close' } } as never),
  example(streamData, { body: { keys: [series] } }),
  example(streamDataBatch, { body: { queries: [{ body: { keys: [series] } }] } }),
  example(searchSymbols, { query: { query: `groupName.keyword=${group}` } }),
  example(streamSymbols, { query: { query: `groupName.keyword=${group}` } }),
  example(listSymbolGroups, { query: { query: 'Pri' } }),
  example(listSymbolKeys, { body: { groupName: group } }),
  example(listSymbolValues, { body: { groupName: group, key: 'Commodity' } }),
  example(listSymbolBranches, { body: { groupName: group, key: 'Commodity' } }),
  example(listValueColumns, { query: { groupName: group } }),
  example(listSymbolsInFile, { params: { fid: '{{fid}}' } }),
  example(getIndex, { query: { Group: group, From: 'all' } }),
  example(getCatalogue, { query: { Group: group } }),
  example(createFormula, { body: formula }),
  example(findFormula, { body: { groupName: group, symbols: formula.symbols } }),
  example(changeFormula, { body: { ...formula, expression: 'a * 0.93' } }),
  example(previewFormula, { body: { expression: formula.expression, inputs: formula.inputs } }),
  example(removeSymbols, {
    body: { groupName: group, symbols: [formula.symbols], checkTimeSeries: false },
  }),
  example(requestDataAccess, { body: { requestedData: { Prices: {} } } }),
  example(saveHolidayCalendar, { params: { name: 'Exchange' }, body: { holidays: [] } } as never),
  example(listHolidayCalendars, { query: { query: 'Exchange' } }),
  example(getHolidayCalendar, { params: { name: 'Exchange' } }),
  example(deleteHolidayCalendar, { params: { name: 'Exchange' } }),

  example(putSecret, {
    params: { name: 'exchange-key' },
    body: { value: 'k-7c1f0e52', groupName: group },
  }),
  example(listSecrets, { query: { groupName: group } }),
  example(rotateSecretKey, {}),
  example(deleteSecret, { params: { name: 'exchange-key' }, query: { groupName: group } }),

  example(
    createDataPrep,
    { body: { dataPrep: { name: 'Closing prices', outputGroup: group, symbols: [series] } } },
    { saves: { prepId: 'id' } },
  ),
  example(searchDataPreps, { query: { groupName: group } }),
  example(getDataPrep, { params: { id: '{{prepId}}' } }),
  example(getDataPrepByName, { query: { groupName: group, name: 'Closing prices' } }),
  example(updateDataPrep, {
    params: { id: '{{prepId}}' },
    body: { dataPrep: { name: 'Closing prices', outputGroup: group, symbols: [series], version: 1 } },
  }),
  example(listDataPrepVersions, { params: { id: '{{prepId}}' } }),
  example(listDataPrepVersionsByName, { query: { groupName: group, name: 'Closing prices' } }),
  example(setPrepSchedule, { params: { id: '{{prepId}}' }, body: { cron: '0 7 * * 1', timeZone: 'UTC' } }),
  example(getPrepSchedule, { params: { id: '{{prepId}}' } }),
  example(removePrepSchedule, { params: { id: '{{prepId}}' } }),
  example(runDataPrep, { params: { id: '{{prepId}}' } }),
  // The run of the example has finished; this is another one.
  example(stopDataPrepRun, { body: { jobId: '5b0c7f4e-2f0a-4a3c-9d7e-6a1f0c2d8e91' } }),
  example(deleteDataPrep, { params: { id: '{{prepId}}' } }),

  example(listTaskDefinitions, {}),
  example(listTaskCategories, {}),
  example(processTaskExpression, {
    body: { paramName: 'text', params: [], value: '"prices of " & upper("wti")' },
  }),
  example(testTask, {
    body: {
      groupName: group,
      definitionName: 'python-runner',
      params: [
        { name: 'Script', valueType: 'SCRIPT', value: 'import os\nprint(os.environ["Symbol"])\n1 / 0' },
        { name: 'Symbol' },
      ],
      sample: { Symbol: 'Brent' },
    },
  }),
  example(
    createTask,
    { body: { ...task, params: trigger.taskOverrides.params } },
    { saves: { taskId: 'id' } },
  ),
  example(searchTasks, { query: { query: `groupName=${group}` } }),
  example(getTask, { params: { taskId: '{{taskId}}' } }),
  example(updateTask, {
    params: { taskId: '{{taskId}}' },
    body: { version: 1, taskInput: { ...task, params: [{ name: 'cron', value: '0 7 * * 1' }] } },
  }),
  example(listTaskVersions, { params: { taskId: '{{taskId}}' } }),
  example(updateTaskHosts, {
    params: { taskId: '{{taskId}}' },
    body: { hosts: ['api.example.com', '*.example.org:8443'] },
  }),
  example(getTaskHosts, { params: { taskId: '{{taskId}}' } }),
  example(listTaskHosts, {}),
  example(deleteTask, { params: { taskId: '{{taskId}}' } }),
  example(executeTask, { body: { taskName: 'cron-trigger', params: trigger.taskOverrides.params } }),

  example(
    createPipeline,
    { body: { name: 'Weekly', groupName: group, tasks: [trigger] } },
    { saves: { pipelineId: 'pipeline.id' } },
  ),
  example(searchPipelines, { query: { query: `groupName=${group}` } }),
  example(getPipeline, { params: { pipelineId: '{{pipelineId}}' } }),
  example(getPipelineByName, { query: { groupName: group, name: 'Weekly' } }),
  example(findPipelineByName, { query: { groupName: group, name: 'Weekly' } }),
  example(updatePipeline, {
    params: { pipelineId: '{{pipelineId}}' },
    body: { name: 'Every week', groupName: group, tasks: [trigger, ...checks] },
  }),
  example(patchPipeline, {
    params: { pipelineId: '{{pipelineId}}' },
    body: { objToUpdate: { tags: ['weekly'] } },
  }),
  example(listPipelineTags, { query: { query: 'week' } }),
  example(sharePipeline, {
    body: {
      pipelineId: '{{pipelineId}}',
      url: 'https://data.example.com/Science/Creator/Oil/Daily/latest',
      access: 'R',
      message: 'The prices of each morning.',
      emails: ['ben@example.com'],
      dryRun: true,
    },
  }),
  example(exportPipeline, { params: { pipelineId: '{{pipelineId}}' } }),
  example(importPipeline, {
    body: {
      file: {
        format: 'headwater-pipeline',
        formatVersion: 1,
        pipeline: { name: 'Imported', groupName: group, tasks: [trigger] },
      },
    },
  }),
  example(listPipelineVersions, { params: { pipelineId: '{{pipelineId}}' } }),
  example(listPipelineVersionsByName, { query: { pipelineName: 'Every week', groupName: group } }),
  example(setPipelineSchedule, {
    params: { pipelineId: '{{pipelineId}}' },
    body: {
      schedulerTriggers: [
        {
          type: 'SCHEDULER',
          name: 'End of month',
          rule: { kind: 'CALENDAR', times: ['18:00'], days: 'LAST_BUSINESS_DAY_OF_MONTH' },
          timeZone: 'Europe/London',
          holidayCalendar: 'GB',
        },
      ],
    },
  }),
  example(getPipelineSchedule, { params: { pipelineId: '{{pipelineId}}' } }),
  example(listSchedules, { query: { query: 'groupName=Prices', size: 1 } }),
  example(
    executePipeline,
    { params: { pipelineId: '{{pipelineId}}' }, body: { waitSeconds: 60 } },
    { saves: { runId: 'jobId' } },
  ),
  example(listRuns, { query: { query: 'Every', size: 1 } }),
  example(getRun, { params: { jobId: '{{runId}}' } }),
  example(getPipelineHistory, {
    params: { pipelineId: '{{pipelineId}}' },
    query: { timeZone: 'Europe/Berlin' },
  }),
  example(saveGeneratedValue, {
    params: { pipelineId: '{{pipelineId}}' },
    body: { name: 'lastDay', value: '2026-01-31' },
  }),
  example(listGeneratedValues, { params: { pipelineId: '{{pipelineId}}' } }),
  example(repeatPipeline, { body: { jobId: '{{runId}}' } }, { saves: { repeatedId: 'jobId' } }),
  example(approvePipeline, { body: { jobId: '{{runId}}', nodeId: 'prices' } }),
  example(declinePipeline, { body: { jobId: '{{runId}}', nodeId: 'weather' } }, { pausedJob: '{{runId}}' }),
  example(getApproval, { body: { token: 'unknown', jobId: '{{runId}}' } }),
  example(
    resumePipeline,
    { body: { jobId: '{{runId}}', changes: [{ action: 'APPROVE', nodeId: 'load' }] } },
    { pausedJob: '{{runId}}' },
  ),
  example(stopPipeline, { body: { jobId: '{{repeatedId}}' } }),
  example(continuePipeline, { body: { jobId: '{{runId}}' } }, { pausedJob: '{{runId}}' }),
  example(
    startBackfill,
    {
      params: { pipelineId: '{{pipelineId}}' },
      body: { from: '2026-01-01', to: '2026-01-07', weekdays: [1, 2, 3, 4, 5], maxParallel: 2 },
    },
    { saves: { backfillId: 'id' } },
  ),
  example(listBackfills, { params: { pipelineId: '{{pipelineId}}' } }),
  example(getBackfill, { params: { pipelineId: '{{pipelineId}}', backfillId: '{{backfillId}}' } }),
  example(cancelBackfill, { params: { pipelineId: '{{pipelineId}}', backfillId: '{{backfillId}}' } }),
  example(setRunLimits, { body: { pipelineId: '{{pipelineId}}', maxRuns: 2, priority: 10 } }),
  example(getRunLimits, { query: { groupName: group } }),
  example(deletePipeline, { params: { pipelineId: '{{pipelineId}}' } }),

  example(createInsight, { body: { ...insight, tags: ['oil'], content } } as never),
  example(getInsight, { params: insight }, { saves: { insightId: 'id' } }),
  example(searchInsights, { query: { groupName: group } }),
  example(searchInsightsByBody, { body: { groupName: group } }),
  example(getTileData, { params: { id: '{{insightId}}' }, body: { tiles: [{ id: 'closing' }] } }),
  example(getDraftTileData, { body: { content, tiles: [{ id: 'closing' }] } } as never),
  example(updateInsight, {
    body: { oldGroupName: group, oldInsightName: 'Oil', tags: ['oil'], content },
  } as never),
  example(patchInsight, { body: { ...insight, fields: [{ name: 'description', value: 'Oil prices' }] } }),
  example(listInsightVersions, { params: insight }),
  example(getInsightVersion, { params: { ...insight, version: 1 } }),
  example(restoreInsightVersion, { params: { ...insight, version: 1 }, body: {} }),
  example(readInsight, { params: { groupName: group, fileName: 'Oil.json' } }),
  example(listInsightTags, { query: { query: 'oi' } }),
  example(createInsightTemplate, { body: { groupName: group, name: 'Oil report', content } } as never),
  example(searchInsightTemplates, {}),
  example(getInsightTemplate, { params: { groupName: group, name: 'Oil report' } }),
  example(lookUpTemplateName, { query: { groupName: group, insightName: 'Oil', name: 'Oil report' } }),
  example(findInsightExporter, { params: { id: '{{insightId}}' } }),

  example(shareInsight, { body: { ...insight, shares: ['ben@example.com'] } }),
  example(listShared, { query: { groupName: group, name: 'Oil' } }),
  example(assignInsightRoles, { body: insight }),
  example(transferOwnership, {
    body: {
      fileIds: ['{{fid}}'],
      currentOwnerUser: 'admin@example.com',
      targetOwnerUser: 'ben@example.com',
    },
  }),
  example(unshareInsight, { body: { ...insight, emails: ['ben@example.com'] } }),
  example(updatePublicStatus, { body: { ...insight, isPublic: true } }),
  example(getPublicStatus, { query: insight }),
  example(
    createPublicLink,
    { body: { ...insight, parameters: [{ name: 'Commodity', values: ['Brent'] }] } },
    {},
  ),
  example(listPublicLinks, { query: insight }, { saves: { linkKey: 'items.0.key' } }),
  example(
    getPublicInsight,
    { params: { groupName: group, fileName: 'Oil.json' } },
    { isAnonymous: true, saves: { version: 'version' } },
  ),
  example(
    getPublicTileData,
    {
      params: { groupName: group, fileName: 'Oil.json' },
      body: { version: '{{version}}', tiles: [{ id: 'closing' }] },
    },
    { isAnonymous: true },
  ),
  example(validatePublicAccess, { body: { ...insight, token: 'none' } }, { isAnonymous: true }),
  example(listVisitors, { query: insight }),
  example(listPublicViews, { query: { groupName: group } }),
  example(endPublicLink, { query: { ...insight, key: '{{linkKey}}' } }),
  example(endPublicView, { query: { groupName: group, insightGroupName: group, insightName: 'Oil' } }),
  example(deleteInsight, { body: insight }),

  example(listAuditRecords, { query: { route: 'createGroup', size: 1 } }),
  example(deleteFile, { params: { fid: '{{fid}}' } }),
  example(listTrash, { params: { kind: 'files' }, query: { query: group } }),
  example(restoreTrashed, { params: { kind: 'files', id: '{{fid}}' }, body: {} }),
  example(deleteFile, { params: { fid: '{{fid}}' } }),
  example(deleteTrashed, { params: { kind: 'files', id: '{{fid}}' } }),
  example(deleteGroup, { params: { name: group } }),
  example(getDemo, {}),
  example(getDemoRemoval, {}),
]

/**
 * Routes without an example: their request needs a token from an e-mail, the secret of a webhook, a running pipeline, a picture, an archive, Python or a form. The list may
 * only shrink.
 */
export const routesWithoutExample: readonly string[] = [
  'activateUser',
  'callWebhook',
  'changePassword',
  'confirmPasswordReset',
  'deleteUserApiKey',
  'getActivation',
  'getContent',
  'getFileArchive',
  'getHealth',
  'getInsightLogo',
  'getOpenApi',
  'getPublicFile',
  'getPublicFileVersion',
  'getPublicLogo',
  'getStoredValue',
  'listPublicValues',
  'logInWithBasic',
  'putInsightLogo',
  'removeDemo',
  'runTileCode',
  'storeValue',
  'submitPublicAccess',
  'streamEvents',
]
