import { useMemo, useState } from 'react'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import IconDatabaseImport from '@tabler/icons-react/dist/esm/icons/IconDatabaseImport.mjs'
import IconFileDatabase from '@tabler/icons-react/dist/esm/icons/IconFileDatabase.mjs'
import IconGitBranch from '@tabler/icons-react/dist/esm/icons/IconGitBranch.mjs'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import IconServer from '@tabler/icons-react/dist/esm/icons/IconServer.mjs'
import IconSitemap from '@tabler/icons-react/dist/esm/icons/IconSitemap.mjs'
import IconSql from '@tabler/icons-react/dist/esm/icons/IconSql.mjs'
import IconTransform from '@tabler/icons-react/dist/esm/icons/IconTransform.mjs'
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import IconBox from '@tabler/icons-react/dist/esm/icons/IconBox.mjs'
import IconBrandPython from '@tabler/icons-react/dist/esm/icons/IconBrandPython.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconFileDownload from '@tabler/icons-react/dist/esm/icons/IconFileDownload.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { approvalTaskName } from '@headwater/approvals/contract'
import type { Graph, NodeContent } from '@headwater/canvas'
import { type Job, visibleStatus } from '@headwater/statuses/contract'
import { createStore, StatusBadge, statuses, statusLabel, statusOf } from '@headwater/web-kit'
import { branchTaskName, type Task } from '@headwater/tasks/contract'
import { loopTaskName, subPipelineTaskName } from '../../contract/index.ts'
import type { TaskData, TaskNode } from './draft.ts'
import { portsOf } from './task-ports.ts'
import { type OpenStatus, StatusOpener } from './status/use-status-box.tsx'
import type { TaskOf } from './use-task-types.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
const icons: Readonly<Record<string, NodeContent['icon']>> = {
  'python-runner': <IconBrandPython {...icon} />,
  'email-sender': <IconMail {...icon} />,
  'cron-trigger': <IconClock {...icon} />,
  'tile-downloader': <IconFileDownload {...icon} />,
  'pdf-report': <IconFileTypePdf {...icon} />,
  'generic-html-template': <IconFileText {...icon} />,
  'http-request': <IconWorld {...icon} />,
  'sftp-source': <IconServer {...icon} />,
  'ftp-source': <IconServer {...icon} />,
  'convert-file': <IconTransform {...icon} />,
  'check-file': <IconChecklist {...icon} />,
  'store-file': <IconFileDatabase {...icon} />,
  'store-series': <IconDatabaseImport {...icon} />,
  'sql-query': <IconSql {...icon} />,
  'query-series': <IconChartLine {...icon} />,
  webhook: <IconWebhook {...icon} />,
  [approvalTaskName]: <IconUserCheck {...icon} />,
  [branchTaskName]: <IconGitBranch {...icon} />,
  [loopTaskName]: <IconRepeat {...icon} />,
  [subPipelineTaskName]: <IconSitemap {...icon} />,
}
const otherIcon = <IconBox {...icon} />

/**
 * Returns a function that renders a task in its node. The function changes only when the content of a node does.
 */
export function useNodeContents(
  graph: Graph<TaskData>,
  taskOf: TaskOf,
  job: Job | undefined,
  onStatus: OpenStatus,
): (node: TaskNode) => NodeContent {
  const [cache] = useState(() => createStore<ReturnType<typeof contentsOf> | undefined>(undefined))
  return useMemo(() => {
    const last = cache.get()
    const next = contentsOf({ graph, taskOf, job, onStatus }, last?.contents)
    if (last !== undefined && !next.isNew) return last.contentOf
    cache.set(next)
    return next.contentOf
  }, [cache, graph, taskOf, job, onStatus])
}

interface Cached {
  key: string
  content: NodeContent
}

function contentsOf(
  {
    graph,
    taskOf,
    job,
    onStatus,
  }: { graph: Graph<TaskData>; taskOf: TaskOf; job: Job | undefined; onStatus: OpenStatus },
  previous: ReadonlyMap<string, Cached> = new Map(),
) {
  const statusById = new Map(job?.componentStatuses.map((step) => [step.payload.nodeId, visibleStatus(step)]))
  const into = Map.groupBy(graph.links, ({ to }) => to.node)
  const outOf = Map.groupBy(graph.links, ({ from }) => from.node)
  let isNew = previous.size !== graph.nodes.length
  const contents = new Map<string, Cached>()
  for (const { id, label, data } of graph.nodes) {
    const task = taskOf(data)
    const linked = {
      in: new Set(into.get(id)?.map(({ to }) => to.port)),
      out: new Set(outOf.get(id)?.map(({ from }) => from.port)),
    }
    const ports = portsOf(data, task, linked)
    const status = job === undefined ? undefined : statusOf(statusById.get(id))
    const subtitle = subtitleOf(label, data, task)
    const spokenStatus = status === undefined ? '' : statusLabel(status).toLowerCase()
    const key = JSON.stringify([label, subtitle, status, data.isPaused, task?.definitionName, ports])
    const old = previous.get(id)
    if (old?.key === key) {
      contents.set(id, old)
      continue
    }
    isNew = true
    const kind = task?.definitionName ?? data.taskName
    const content: NodeContent = {
      ports,
      subtitle,
      icon: icons[kind] ?? otherIcon,
      ...(status === undefined
        ? {}
        : {
            badge: (
              <StatusOpener nodeId={id} label={label} spoken={spokenStatus} onOpen={onStatus}>
                <StatusBadge status={status} iconOnly />
              </StatusOpener>
            ),
            color: statuses[status].color,
          }),
      spoken: [spokenStatus, data.isPaused ? 'requires approval' : ''].filter(Boolean).join(', '),
    }
    contents.set(id, { key, content })
  }
  const contentOf = ({ id }: TaskNode) => contents.get(id)?.content ?? noContent
  return { contents, contentOf, isNew }
}

/** Returns the name of the task, or a description of it if the node has the same name. */
function subtitleOf(label: string, data: TaskData, task: Task | undefined): string {
  const name = task?.readableName ?? data.taskName
  if (name !== label) return name
  return data.taskGroup === '' ? 'Built-in task' : data.taskGroup
}

const noContent: NodeContent = { ports: [], subtitle: '' }
