import { useCallback, useEffect } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useQuery } from '@tanstack/react-query'
import { parseCsv } from '@headwater/csv'
import { useCan, useSession } from '@headwater/accounts/web'
import { readContent } from '@headwater/files/web'
import { executeTask } from '@headwater/pipelines/contract'
import { endOfRun } from '@headwater/statuses/web'
import { searchTasks } from '@headwater/tasks/contract'
import {
  ApiError,
  call,
  ConfirmDialog,
  links,
  linkTo,
  message,
  Page,
  reportError,
  routeNames,
  TextLink,
  toastError,
} from '@headwater/web-kit'
import { type InsightContent } from '@headwater/tile-data/contract'
import {
  filledTemplate,
  getInsightTemplate,
  isTableOutput,
  parseTemplateParams,
  TemplateParamsError,
  type TemplateDefinition,
  type TemplateOutput,
} from '../../../contract/index.ts'
import { TileGridSkeleton } from '../../components/TileGridSkeleton.tsx'
import { findLakeFile } from '@headwater/tile-data/web'
import { isTrusted, trust, type TemplateTask } from '../../templates/trusted-tasks.ts'
import { InsightWorkspace } from '../InsightScreen/InsightWorkspace.tsx'

/**
 * A new insight created from a template with the parameters in the URL. It exists only as a draft until the user saves
 * it.
 */
export default function TemplateScreen() {
  const { groupName = '', name = '', params = '' } = useParams()
  const navigate = useNavigate()
  const { userName } = useSession()
  const canOpenTasks = useCan()('Task', 'RW', 'Science')
  const loaded = useQuery({
    queryKey: ['template', groupName, name, params],
    queryFn: ({ signal }) => load({ groupName, name, params, userName }, signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const leave = useCallback(
    () => void navigate(linkTo([routeNames.insight, routeNames.templates]), { replace: true }),
    [navigate],
  )
  const { error } = loaded
  const untrusted = error instanceof UntrustedTask ? error : undefined
  useEffect(() => {
    if (error === null || error instanceof UntrustedTask) return
    reportError(error)
    if (error instanceof ApiError && error.code === 'templateNotFound') message(error.message, 'error')
    else toastError(error)
    leave()
  }, [error, leave])
  if (loaded.data !== undefined)
    return (
      <InsightWorkspace key={`${groupName}/${name}/${params}`} saved={undefined} template={loaded.data} />
    )
  return (
    <Page>
      <TileGridSkeleton />
      {untrusted === undefined ? null : (
        <ConfirmDialog
          open={!loaded.isFetching}
          title="Run the task of this template?"
          confirmLabel="Run"
          focusOn="cancel"
          onClose={() => {
            if (!isTrusted(untrusted.task)) leave()
          }}
          onConfirm={() => {
            trust(untrusted.task)
            return loaded.refetch()
          }}
        >
          The template {name} runs the task{' '}
          {canOpenTasks ? (
            <TextLink href={links.task(untrusted.task.taskId)} newTab>
              {untrusted.task.taskName}
            </TextLink>
          ) : (
            `“${untrusted.task.taskName}”`
          )}
          , which {untrusted.savedBy} saved. It reads and writes data with your access. Run it only if you
          know what it does.
        </ConfirmDialog>
      )}
    </Page>
  )
}

/** A task of another author that the user has not confirmed yet. */
class UntrustedTask extends Error {
  readonly task: TemplateTask
  readonly savedBy: string
  constructor(task: TemplateTask, savedBy: string) {
    super('The task of the template was not run.')
    this.task = task
    this.savedBy = savedBy
  }
}

/** An unsaved insight, created from a template. */
export interface LoadedTemplate {
  /** Definition of the insight, with parameters and outputs filled in. */
  content: InsightContent
  /** Description of the template; can be empty. */
  description: string
}

async function load(
  {
    groupName,
    name,
    params,
    userName,
  }: { groupName: string; name: string; params: string; userName: string },
  signal: AbortSignal,
): Promise<LoadedTemplate> {
  const values = readParams(params)
  const { definition, task, owner, modified } = await call(
    getInsightTemplate,
    { params: { groupName, name } },
    { signal },
  )
  if (definition.task !== undefined) {
    const { taskName, taskGroupName } = definition.task
    if (task === null)
      throw new Error(
        `The template “${name}” runs the task “${taskName}” of the group “${taskGroupName}”, which does not exist or which you cannot read. Ask the owner of that group for read access, or ask ${owner}, the author of the template.`,
      )
    const { id, version } = task
    // Opening a link must not run code of other users with the access of the user who opens it.
    if (task.savedBy !== userName || owner !== userName) {
      const template = { groupName, name, modified }
      const trustedTask = { template, taskId: id, taskName, version }
      if (!isTrusted(trustedTask)) throw new UntrustedTask(trustedTask, task.savedBy ?? owner)
    }
    await runTask(definition, { ...definition.task, id, version }, values, signal)
  }
  const outputs = await Promise.all(definition.outputs.map((output) => readOutput(output, groupName, signal)))
  return {
    content: filledTemplate(definition, values, outputs),
    description: `Created from the template ${name}. Save it to keep it.`,
  }
}

/**
 * Runs the task of a template with the parameters and waits for its outputs. The name of the task and whether it can
 * run are requested in parallel.
 * @throws Error with the message of a task that failed
 */
async function runTask(
  { parameters }: TemplateDefinition,
  task: NonNullable<TemplateDefinition['task']> & { id: string; version: number },
  values: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const { taskName, taskGroupName } = task
  const query = `name=${taskName}&groupName=${taskGroupName}`
  const [{ items }, { jobId }] = await Promise.all([
    call(searchTasks, { query: { query, size: 1 } }, { signal }),
    call(
      executeTask,
      {
        body: {
          taskName,
          taskGroupName,
          taskId: task.id,
          taskVersion: task.version,
          params: parameters
            .filter(({ name }) => task.params.includes(name))
            .map(({ name, defaultValue }) => ({ name, value: values.get(name) || defaultValue })),
          withOpenAiKey: false,
        },
      },
      { signal },
    ),
  ])
  const job = await endOfRun(jobId, signal)
  if (job.status === 'ERROR' || job.status === 'WARN')
    throw new Error(`${items[0]?.readableName ?? taskName}: ${job.latestStatus.message}`)
}

function readParams(text: string): Map<string, string> {
  try {
    return parseTemplateParams(text)
  } catch (error) {
    if (!(error instanceof TemplateParamsError)) throw error
    reportError(error)
    return new Map()
  }
}

async function readOutput(output: TemplateOutput, templateGroup: string, signal: AbortSignal) {
  const placed = { ...output, groupName: output.groupName || templateGroup }
  const file = await findLakeFile(placed, signal)
  if (!isTableOutput(output)) return { output: placed, header: [], rows: [], text: '' }
  const text = await readContent(file.fid, 'text', signal)
  const [header = [], ...rows] = parseCsv(text)
  return { output: placed, header, rows, text }
}
