import { type DragEvent, type MouseEvent, useImperativeHandle, useRef } from 'react'
import {
  Background,
  BackgroundVariant,
  type Edge,
  type EdgeChange,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { defaultAuthor, type GraphNode, gridSize, initialOffset, type PortRef, snapToGrid } from '../graph.ts'
import { layoutOf } from '../layout.ts'
import { CanvasBar } from './CanvasBar.tsx'
import { CanvasContext, useContextValue } from './canvas-context.ts'
import { onCanvasKey } from './canvas-keys.ts'
import type { CanvasProps } from './canvas-props.ts'
import { CommentNodeView } from './CommentNodeView.tsx'
import { DraggedLinks } from './DraggedLinks.tsx'
import type { FlowNode } from './flow-nodes.ts'
import { ItemNodeView } from './ItemNodeView.tsx'
import { LooseLink } from './LooseLink.tsx'
import { zoomLimits } from './fitted-view.ts'
import { useClipboard } from './use-clipboard.ts'
import { useConnections } from './use-connections.ts'
import { useExpanded } from './use-comments.ts'
import { useFit } from './use-fit.ts'
import { useFlowNodes } from './use-flow-nodes.ts'
import { nodeElement, useKeyLink } from './use-key-link.ts'
import { useLateMoves } from './use-late-moves.ts'
import { useNodeChanges } from './use-node-changes.ts'
import { useReveal } from './use-reveal.ts'
import { focusWhenDrawn, useSelect } from './use-select.ts'
import { useStable } from './use-stable.ts'
import { type TappedPort, useTapLink } from './use-tap-link.ts'
import styles from './Canvas.module.css'

/**
 * Keyboard shortcuts of the focused node, displayed while it has the focus and used as its description for screen
 * readers.
 */
const nodeKeys = 'Enter selects, L links ports, arrow keys move, Ctrl+D duplicates, Delete deletes'
/** Interaction settings: the wheel pans the canvas and never zooms it; a pinch with two fingers zooms. */
const behaviour = {
  minZoom: zoomLimits.min,
  maxZoom: zoomLimits.max,
  snapToGrid: true,
  snapGrid: [gridSize, gridSize] as [number, number],
  zoomOnScroll: false,
  zoomOnPinch: true,
  zoomOnDoubleClick: false,
  zoomActivationKeyCode: null,
  panOnScroll: true,
  selectionMode: SelectionMode.Partial,
  multiSelectionKeyCode: ['Meta', 'Control', 'Shift'],
  selectionKeyCode: 'Shift',
  deleteKeyCode: null,
  edgesFocusable: false,
  elevateNodesOnSelect: false,
  connectOnClick: false,
  connectionRadius: 24,
  proOptions: { hideAttribution: true },
}
const defaultView = { ...initialOffset, zoom: 1 }
/** The renderer uses the second text for nodes that can be moved with the keyboard, despite the name of the key. */
const spokenTexts = {
  'node.a11yDescription.default': 'Enter selects',
  'node.a11yDescription.keyboardDisabled': nodeKeys,
}
/**
 * Maximum number of nodes up to which the canvas renders all nodes and links. In larger graphs, it renders only the visible
 * ones.
 */
const maxDrawn = 100
const nodeTypes = { item: ItemNodeView, comment: CommentNodeView }

/** A graph editor: nodes with typed ports, links and comments. All actions have a keyboard shortcut. */
export function Canvas<Data>(props: CanvasProps<Data>) {
  return (
    <ReactFlowProvider>
      <CanvasView {...props} />
    </ReactFlowProvider>
  )
}

function CanvasView<Data>({
  label,
  graph,
  contentOf,
  accepts,
  selection,
  onSelect,
  actions,
  canUndo = false,
  canRedo = false,
  commentsVisible,
  commentsCollapsed = false,
  author = defaultAuthor,
  empty,
  initialView = defaultView,
  handle,
}: CanvasProps<Data>) {
  const root = useRef<HTMLDivElement>(null)
  const flow = useReactFlow<FlowNode>()
  const editable = actions !== undefined
  const isLarge = graph.nodes.length > maxDrawn
  const { nodes, edges, setNodes } = useFlowNodes(graph, contentOf, selection, { editable, commentsVisible })
  const late = useLateMoves((moves) => actions?.move(moves))
  const rules = { portsOf: (node: GraphNode<Data>) => contentOf(node).ports, accepts }
  const { loose, ...connections } = useConnections(graph, rules, actions)
  const comments = useExpanded(commentsCollapsed)

  const reveal = useReveal(root, nodes)
  const fit = useFit(root)
  const select = useSelect(selection, onSelect)
  const { dragLayer, onNodesChange } = useNodeChanges(late, setNodes, select)
  const onLinked = {
    onLink: (from: PortRef, to: PortRef) => actions?.link(from, to),
    onReject: (problem: string) => actions?.reject(problem),
  }
  const keyLink = useKeyLink(root, graph, rules, { reveal, ...onLinked })
  const tapLink = useTapLink(graph, rules, onLinked)
  function focusNode(id: string): void {
    reveal(id)
    focusWhenDrawn(() => nodeElement(root.current, id))
  }
  useImperativeHandle(handle, () => ({
    flush: late.flush,
    focusNode,
    view: () => flow.getViewport(),
  }))
  useClipboard(root, selection, actions, late.flush)

  function addComment(): void {
    const box = root.current!.getBoundingClientRect()
    const middle = flow.screenToFlowPosition({ x: box.left + box.width / 2, y: box.top + box.height / 3 })
    const id = crypto.randomUUID()
    actions?.showComments(true)
    actions?.setComment({ id, text: '', author, position: snapToGrid(middle) })
    comments.toggle(id)
  }

  function arrange(): void {
    const heightOf = (id: string) => flow.getInternalNode(id)?.measured.height ?? 128
    late.flush()
    actions?.move(layoutOf(graph, heightOf, { x: gridSize, y: gridSize }))
    requestAnimationFrame(fit)
  }

  const events = useStable({
    ...connections,
    onNodesChange,
    onEdgesChange: (changes: EdgeChange[]) => select(changes),
    onPaneClick: tapLink.cancel,
    onEdgeContextMenu(event: MouseEvent, { id }: Edge) {
      event.preventDefault()
      actions?.removeLinks(new Set([id]))
    },
  })
  const context = useContextValue(actions, comments, keyLink.state?.from, tapLink)

  return (
    <CanvasContext value={context}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the nodes inside */}
      <section
        ref={root}
        className={styles.canvas}
        tabIndex={-1}
        aria-label={label}
        onKeyDownCapture={(event) =>
          onCanvasKey(event, {
            graph,
            selection,
            onSelect,
            actions,
            commentsVisible,
            onLinkKey: (key, focused) => tapLink.onKey(key) || keyLink.onKey(key, focused),
            flush: late.flush,
            focusNode: isLarge ? focusNode : undefined,
          })
        }
        onWheelCapture={(event) => {
          // Otherwise the canvas would zoom. The browser zooms the page, as everywhere.
          if (event.ctrlKey) event.stopPropagation()
        }}
        onDragOver={(event) => {
          if (editable) event.preventDefault()
        }}
        onDrop={(event: DragEvent) => {
          if (actions === undefined) return
          event.preventDefault()
          actions.drop(
            event.dataTransfer,
            snapToGrid(flow.screenToFlowPosition({ x: event.clientX, y: event.clientY })),
          )
        }}
      >
        <ReactFlow<FlowNode>
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          {...behaviour}
          defaultViewport={initialView}
          ariaLabelConfig={spokenTexts}
          disableKeyboardA11y={!editable}
          nodesConnectable={editable}
          onlyRenderVisibleElements={isLarge}
          {...events}
        >
          <Background
            variant={BackgroundVariant.Dots}
            gap={gridSize / 2}
            size={1.5}
            color="var(--line-strong)"
          />
          <LooseLink link={loose} />
          <DraggedLinks layer={dragLayer} />
        </ReactFlow>
        <Hint editable={editable} text={keyLinkHint(keyLink.state) ?? tapLinkHint(tapLink.first)} />
        {graph.nodes.length + graph.comments.length === 0 ? (
          <div className={styles.empty}>{empty}</div>
        ) : null}
        <CanvasBar
          actions={actions}
          canUndo={canUndo}
          canRedo={canRedo}
          commentsVisible={commentsVisible}
          onFit={fit}
          onLayout={arrange}
          onAddComment={addComment}
        />
      </section>
    </CanvasContext>
  )
}

/** The next step while the user links ports; otherwise the keys of the focused node. */
function Hint({ editable, text }: { editable: boolean; text: string | undefined }) {
  if (text !== undefined)
    return (
      <div className={styles.hint} role="status">
        {text}
      </div>
    )
  if (!editable) return null
  return (
    <div className={styles.keys} aria-hidden="true">
      {nodeKeys}
    </div>
  )
}

/** Returns the next step of the keys that link ports. */
function keyLinkHint(state: { from: PortRef | undefined } | undefined): string | undefined {
  if (state === undefined) return undefined
  return state.from === undefined
    ? 'Choose an output with the arrow keys, then press Enter.'
    : 'Choose an input with the arrow keys, then press Enter. Escape cancels.'
}

/** Returns the next step after a tap on a port. */
function tapLinkHint(first: TappedPort | undefined): string | undefined {
  if (first === undefined) return undefined
  return `Choose ${first.side === 'out' ? 'an input' : 'an output'}, or the same port again to cancel.`
}
