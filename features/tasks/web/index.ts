import { accountTabs } from '@headwater/accounts/web'
import { type FeatureRoutes, lazyPart, links, routeNames as names } from '@headwater/web-kit'

export { DeleteTaskDialog } from './components/DeleteTaskDialog.tsx'
export { TaskPicker } from './components/TaskPicker.tsx'
export { TaskCreator } from './creator/TaskCreator.tsx'
export type { TaskRunner } from './creator/use-task-run.ts'
export { TasksTable } from './list/TasksTable.tsx'
export type { ExpressionName } from './params/ExpressionField.tsx'
export type { ParamControlProps } from './params/value-controls.tsx'
export { ObjectName } from './params/ObjectName.tsx'
export { TaskParamsForm, type FormParam, type ParamValues } from './params/TaskParamsForm.tsx'
export type { RunSample } from './creator/TestRunPanel.tsx'
export { addRecentTask, recentTasks, type TaskRef } from './recent-tasks.ts'
export { paramControls } from './slots.ts'
export { taskQuery, useBuiltInNames, useBuiltInTypes, useTaskChoices } from './tasks-client.ts'

const access = { resource: 'Task', mode: 'RW', parent: 'Science' } as const

/**
 * Routes and search of tasks, and the tab Hosts on the page My account. The pipelines feature provides the list page and the
 * creator page, because these run tasks.
 */
export const tasksWeb: FeatureRoutes = {
  routes: [
    {
      path: `${names.science}/${names.task}/${names.versions}/:id`,
      lazy: () => import('./versions/TaskVersionsScreen.tsx'),
      access,
    },
  ],
  slotItems: [
    accountTabs.itemOf({
      hash: names.hosts,
      label: 'Hosts',
      access: { resource: 'Administrator' },
      part: 'installation',
      Content: lazyPart(() => import('./hosts/HostsTab.tsx')),
    }),
  ],
  searchProviders: [
    {
      id: 'tasks',
      label: 'Tasks',
      access,
      async search(text, signal) {
        const { findTasks } = await import('./search-hits.ts')
        return findTasks(text, signal)
      },
      seeAllHref: (text) => links.scienceList('tasks', { query: text }),
    },
  ],
}
