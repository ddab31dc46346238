import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import IconCalendarTime from '@tabler/icons-react/dist/esm/icons/IconCalendarTime.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconSchema from '@tabler/icons-react/dist/esm/icons/IconSchema.mjs'
import IconSubtask from '@tabler/icons-react/dist/esm/icons/IconSubtask.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useCan } from '@headwater/accounts/web'
import type { Task } from '@headwater/tasks/contract'
import { TasksTable } from '@headwater/tasks/web'
import {
  Button,
  EmptyState,
  HashTabs,
  lazyPart,
  links,
  NothingFound,
  Page,
  PageHeader,
  PartBoundary,
  routeNames as names,
  sameName,
  SearchField,
  Toolbar,
  useHashTab,
} from '@headwater/web-kit'
import { PipelineFilters, usePipelineFilter } from './PipelineFilters.tsx'
import { PipelinesTable } from './PipelinesTable.tsx'
import { SchedulesTable } from './SchedulesTable.tsx'

const icon = { size: 16, stroke: 1.6 } as const
const bigIcon = { size: 20, stroke: 1.6 } as const
const tabs = [
  { hash: names.pipelines, label: 'Pipelines' },
  { hash: names.tasks, label: 'Tasks' },
  { hash: names.schedules, label: 'Schedules' },
]

const ImportPipelineDialog = lazyPart(() => import('../saving/ImportPipelineDialog.tsx'))
const RunTaskDialog = lazyPart(() => import('../tasks/RunTaskDialog.tsx'))

/** Page with the pipelines, tasks and schedules that the user can read, as tabs. */
export default function ScienceScreen() {
  const tab = useHashTab(tabs)
  if (sameName(tab, names.tasks)) return <TasksTab />
  if (sameName(tab, names.schedules)) return <SchedulesTab />
  return <PipelinesTab />
}

function PipelinesTab() {
  const { filter, setFilter, clear } = usePipelineFilter()
  const canWrite = useCan()('Creator', 'RW', 'Science')
  const [isImporting, setImporting] = useState(false)
  const { text, tag, trigger, favourites } = filter
  return (
    <Page>
      {canWrite ? (
        <PageHeader
          actions={
            <>
              <Button icon={<IconUpload {...icon} />} onClick={() => setImporting(true)}>
                Import
              </Button>
              <Button variant="primary" icon={<IconPlus {...icon} />} href={links.pipelineNew()}>
                New pipeline
              </Button>
            </>
          }
        />
      ) : null}
      <ListBar label="Search pipelines" text={text} onChange={(next) => setFilter({ text: next })}>
        <PipelineFilters filter={filter} onChange={setFilter} />
      </ListBar>
      <PipelinesTable
        filter={filter}
        empty={
          text === '' && tag === '' && trigger === 'ANY' && !favourites ? (
            <EmptyState icon={<IconSchema {...bigIcon} />} title="No pipelines yet">
              A pipeline runs tasks in order, on demand or on a schedule. Pipelines in groups you can read
              appear here.
            </EmptyState>
          ) : (
            <NothingFound what="pipelines" onShowAll={clear}>
              {searchHint}
            </NothingFound>
          )
        }
      />
      <PartBoundary fallback={null}>
        {isImporting ? <ImportPipelineDialog onClose={() => setImporting(false)} /> : null}
      </PartBoundary>
    </Page>
  )
}

function SchedulesTab() {
  const { text, setText } = useSearchText()
  return (
    <Page>
      <ListBar label="Search schedules" text={text} onChange={setText} />
      <SchedulesTable
        text={text}
        empty={
          text === '' ? (
            <EmptyState icon={<IconCalendarTime {...bigIcon} />} title="No schedules yet">
              Schedules of pipelines and data preps appear here with their last and next runs.
            </EmptyState>
          ) : (
            <NothingFound what="schedules" onShowAll={() => setText('')}>
              {searchHint}
            </NothingFound>
          )
        }
      />
    </Page>
  )
}

function TasksTab() {
  const { text, setText } = useSearchText()
  const canWrite = useCan()('Task', 'RW', 'Science')
  // Undefined: no dialog. Null: the user chooses the task in the dialog.
  const [run, setRun] = useState<Task | null>()
  const create = canWrite ? (
    <Button variant="primary" icon={<IconPlus {...icon} />} href={links.taskNew()}>
      New task
    </Button>
  ) : undefined
  return (
    <Page>
      <PageHeader
        actions={
          <>
            <Button icon={<IconPlayerPlay {...icon} />} onClick={() => setRun(null)}>
              Run a task
            </Button>
            {create}
          </>
        }
      />
      <ListBar label="Search tasks" text={text} onChange={setText} />
      <TasksTable
        text={text}
        onRun={setRun}
        empty={
          text === '' ? (
            <EmptyState icon={<IconSubtask {...bigIcon} />} title="No tasks yet" action={create}>
              A task is one step of a pipeline: your own script or a built-in task.
            </EmptyState>
          ) : (
            <NothingFound what="tasks" onShowAll={() => setText('')}>
              {searchHint}
            </NothingFound>
          )
        }
      />
      <PartBoundary fallback={null}>
        {run === undefined ? null : <RunTaskDialog task={run} onClose={() => setRun(undefined)} />}
      </PartBoundary>
    </Page>
  )
}

function ListBar({
  label,
  text,
  onChange,
  children,
}: {
  label: string
  text: string
  onChange: (text: string) => void
  children?: ReactNode
}) {
  return (
    <Toolbar>
      <HashTabs label="Data science" tabs={tabs} />
      <SearchField label={label} placeholder={label} width={300} value={text} onChange={onChange} />
      {children}
    </Toolbar>
  )
}

/** Search text of the list, stored in the URL. */
function useSearchText(): { text: string; setText: (text: string) => void } {
  const [search] = useSearchParams()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  return {
    text: search.get('query') ?? '',
    setText(text) {
      const next = new URLSearchParams(search)
      if (text === '') next.delete('query')
      else next.set('query', text)
      void navigate({ pathname, search: next.toString(), hash }, { replace: true })
    },
  }
}

const searchHint = 'Search by a part of the name, or by group with groupName=…'
