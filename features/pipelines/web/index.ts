import { type FeatureRoute, type FeatureRoutes, links, routeNames as names } from '@headwater/web-kit'

export { tagsColumn } from './components/tags-column.tsx'
export { WeekdaysField } from './components/WeekdaysField.tsx'
export { pipelineQuery, usePipelineCalls } from './pipelines-client.ts'
export { EditFileButton } from './runs/EditFileButton.tsx'
export { GeneratedValues, StoredObjects } from './runs/GeneratedValues.tsx'
export { RunDialogs, startedTexts } from './runs/RunDialogs.tsx'
export { triggersOfRun } from './trigger-labels.ts'

const { science, list, versions, creator, task } = names
const pipelines = { resource: 'Science' } as const
const screen = () => import('./list/ScienceScreen.tsx')
const versionPages = [
  `${science}/${list}/${versions}/:groupName/:name`,
  `${science}/${versions}/:groupName/:name`,
]

const approvalPages = [names.approval, names.approve, names.decline].map((page): FeatureRoute => ({
  path: `${science}/${names.pipeline}/${page}/:jobId?`,
  lazy: () => import('./approvals/ApprovalScreen.tsx'),
  access: { resource: 'Pipeline', parent: 'Science' },
  mobile: true,
}))

/**
 * Routes and search of the feature: the lists of pipelines, tasks and schedules, the pages of a pipeline, the creator
 * of tasks, the pages of approvals.
 */
export const pipelinesWeb: FeatureRoutes = {
  routes: [
    { path: science, lazy: screen, access: pipelines },
    { path: `${science}/${list}`, lazy: screen, access: pipelines },
    { path: `${science}/${list}/${versions}`, lazy: screen, access: pipelines },
    ...versionPages.map((path): FeatureRoute => ({
      path,
      lazy: () => import('./page/PipelineVersionsScreen.tsx'),
      access: pipelines,
    })),
    {
      path: `${science}/${names.schedules}/:groupName/:name`,
      lazy: () => import('./triggers/TriggersScreen.tsx'),
      access: pipelines,
    },
    ...[`${science}/${creator}`, `${science}/${creator}/${names.new}`].map((path): FeatureRoute => ({
      path,
      lazy: () => import('./creator/NewPipelineScreen.tsx'),
      access: { resource: 'Creator', parent: 'Science' },
    })),
    {
      path: `${science}/${creator}/:groupName/:name/:version?`,
      lazy: () => import('./creator/PipelineScreen.tsx'),
      access: { resource: 'Creator', parent: 'Science' },
    },
    {
      path: `${science}/${task}/${creator}/:id?`,
      lazy: () => import('./tasks/TaskScreen.tsx'),
      access: { resource: 'Task', mode: 'RW', parent: 'Science' },
    },
    ...approvalPages,
  ],
  searchProviders: [
    {
      id: 'pipelines',
      label: 'Pipelines',
      access: { resource: 'Creator', parent: 'Science' },
      async search(text, signal) {
        const { findPipelines } = await import('./search-hits.ts')
        return findPipelines(text, signal)
      },
      seeAllHref: (text) => links.scienceList('pipelines', { query: text }),
      recents: {
        type: 'PIPELINE',
        async find(recent, signal) {
          const { findRecentPipeline } = await import('./search-hits.ts')
          return findRecentPipeline(recent, signal)
        },
      },
    },
  ],
}
