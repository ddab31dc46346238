import { type ReactNode, useCallback, useRef, useState } from 'react'
import { approvalTaskName } from '@headwater/approvals/contract'
import type { Graph } from '@headwater/canvas'
import type { Job } from '@headwater/statuses/contract'
import { Popover } from '@headwater/web-kit'
import type { TaskData } from '../draft.ts'
import type { TaskOf } from '../use-task-types.ts'
import { StatusBox } from './StatusBox.tsx'
import { objectParamsOf } from './status-rows.ts'
import styles from './StatusBox.module.css'

/** Duration of the animation with which the box closes. */
const closeMs = 201
const widthPx = 340

/** Opens the status box of a task beside an element. */
export type OpenStatus = (nodeId: string, beside: HTMLElement) => void

/** The status box of the creator: one task at a time, beside the badge of its node. */
export function useStatusBox() {
  const [box, setBox] = useState<{ nodeId: string; at: DOMRect }>()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLElement>(null)
  const open: OpenStatus = useCallback((nodeId, beside) => {
    opener.current = beside
    setBox({ nodeId, at: beside.getBoundingClientRect() })
    setOpen(true)
  }, [])
  const close = useCallback(() => {
    setOpen(false)
    opener.current?.focus({ preventScroll: true })
  }, [])
  return { box, isOpen, open, close }
}

/** Renders the status box; renders nothing before it is opened. */
export function StatusBoxPopover({
  state: { box, isOpen, close },
  graph,
  taskOf,
  job,
  pipelineId,
}: {
  state: ReturnType<typeof useStatusBox>
  graph: Graph<TaskData>
  taskOf: TaskOf
  job: Job | undefined
  pipelineId: string | undefined
}) {
  const node = box && graph.nodes.find(({ id }) => id === box.nodeId)
  if (node === undefined || job === undefined || pipelineId === undefined) return null
  const { left, top, width, height } = box!.at
  const referenceOf = (input: string): string | undefined => {
    const link = graph.links.find(({ to }) => to.node === node.id && to.port === input)
    const from = link && graph.nodes.find(({ id }) => id === link.from.node)
    return from?.data.taskOverrides.params.find(
      ({ name, type }) => type === 'OUTPUT' && name === link!.from.port,
    )?.value
  }
  return (
    <Popover
      label={`Status of ${node.label}`}
      open={isOpen}
      onClose={close}
      closeMs={closeMs}
      width={widthPx}
      trigger={
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className={styles.anchor}
          style={{ left, top, width, height }}
        />
      }
    >
      <StatusBox
        key={node.id}
        job={job}
        pipelineId={pipelineId}
        nodeId={node.id}
        label={node.label}
        isApproval={taskOf(node.data)?.definitionName === approvalTaskName}
        objects={objectParamsOf(node, taskOf(node.data), referenceOf)}
      />
    </Popover>
  )
}

/** Badge of a node that opens its status box. */
export function StatusOpener({
  nodeId,
  label,
  spoken,
  onOpen,
  children,
}: {
  nodeId: string
  /** Name of the task. */
  label: string
  /** The status for screen readers. */
  spoken: string
  onOpen: OpenStatus
  children: ReactNode
}) {
  return (
    <button
      type="button"
      // The canvas neither drags the node nor selects it when the pointer is pressed here.
      className={`${styles.opener} nodrag nopan`}
      aria-label={`Status of ${label}: ${spoken}`}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation()
        onOpen(nodeId, event.currentTarget)
      }}
    >
      {children}
    </button>
  )
}
