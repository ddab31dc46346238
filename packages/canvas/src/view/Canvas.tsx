import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type Connection,
  type EdgeChange,
  type FinalConnectionState,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
  ViewportPortal,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import {
  type CanvasComment,
  defaultAuthor,
  type Graph,
  type GraphNode,
  gridSize,
  initialOffset,
  linkProblem,
  type LinkRules,
  type Point,
  type PortRef,
  snapToGrid,
} from '../graph.ts'
import { layoutOf } from '../layout.ts'
import { CanvasBar } from './CanvasBar.tsx'
import { CanvasContext } from './canvas-context.ts'
import { CommentNodeView } from './CommentNodeView.tsx'
import { flowEdgesOf, type FlowNode, flowNodesOf, type NodeContent } from './flow-nodes.ts'
import { ItemNodeView } from './ItemNodeView.tsx'
import { useKeyLink } from './use-key-link.ts'
import { useLateMoves } from './use-late-moves.ts'
import styles from './Canvas.module.css'

/** Time for which a link without a target stays visible, in milliseconds. */
const looseLinkMs = 100
const nodeTypes = { item: ItemNodeView, comment: CommentNodeView }
const noIds: ReadonlySet<string> = new Set()

/** What users do on a canvas; the application changes its graph. */
export interface CanvasActions {
  /** Items have moved; called 500 ms after the last movement. */
  move: (moves: ReadonlyMap<string, Point>) => void
  link: (from: PortRef, to: PortRef) => void
  /** Two ports do not fit; the sentence names the reason. */
  reject: (problem: string) => void
  /** Removes links without a confirmation. */
  removeLinks: (ids: ReadonlySet<string>) => void
  /** The user wants to delete nodes; the application confirms it. */
  deleteNodes: (ids: ReadonlySet<string>) => void
  /** The user wants to delete a comment; the application confirms it. */
  deleteComment: (id: string) => void
  /** Adds a comment or changes its text. */
  setComment: (comment: CanvasComment) => void
  showComments: (visible: boolean) => void
  /** Copies items to the clipboard; returns the text. */
  copy: (ids: ReadonlySet<string>) => string
  paste: (text: string) => void
  duplicate: (ids: ReadonlySet<string>) => void
  undo: () => void
  redo: () => void
  /** Something of another part of the page was dropped here. */
  drop: (data: DataTransfer, at: Point) => void
}

/** What an application can do with a canvas. */
export interface CanvasHandle {
  /** Reports movements at once, for example before a save. */
  flush: () => void
  /** Focuses a node and makes it visible. */
  focusNode: (id: string) => void
}

/** Properties of {@link Canvas}. */
export interface CanvasProps<Data> {
  /** Accessible name. */
  label: string
  graph: Graph<Data>
  contentOf: (node: GraphNode<Data>) => NodeContent
  accepts: LinkRules<Data>['accepts']
  /** Ids of the selected nodes, links and comments. */
  selection: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** Absent: the canvas can only be read. */
  actions?: CanvasActions | undefined
  canUndo?: boolean
  canRedo?: boolean
  commentsVisible: boolean
  /** Shows all comments as bubbles, for example during a run. Default false. */
  commentsCollapsed?: boolean
  /** Author of new comments. Default {@link defaultAuthor}. */
  author?: string
  /** Content of a canvas without items. */
  empty?: ReactNode
  handle?: Ref<CanvasHandle>
}

/** An editor of graphs: nodes with typed ports, links, comments. All actions have a key. */
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
  handle,
}: CanvasProps<Data>) {
  const root = useRef<HTMLDivElement>(null)
  const flow = useReactFlow<FlowNode>()
  const editable = actions !== undefined
  const { nodes, setNodes } = useFlowNodes(graph, contentOf, selection, { editable, commentsVisible })
  const edges = useMemo(() => flowEdgesOf(graph, contentOf, selection), [graph, contentOf, selection])
  const late = useLateMoves((moves) => actions?.move(moves))
  const rules = { portsOf: (node: GraphNode<Data>) => contentOf(node).ports, accepts }
  const loose = useLooseLink()
  const comments = useExpanded(commentsCollapsed)

  function reveal(id: string): void {
    const node = flow.getInternalNode(id)
    if (node === undefined) return
    const { x, y, zoom } = flow.getViewport()
    const [left, top] = [node.position.x * zoom + x, node.position.y * zoom + y]
    const box = root.current?.getBoundingClientRect()
    const isVisible =
      box && left > 0 && top > 0 && left + 200 * zoom < box.width && top + 80 * zoom < box.height
    if (isVisible !== true)
      void flow.setCenter(node.position.x + 100, node.position.y + 60, { zoom: Math.max(zoom, 0.5) })
  }
  const keyLink = useKeyLink(root, graph, rules, {
    reveal,
    onLink: (from, to) => actions?.link(from, to),
    onReject: (problem) => actions?.reject(problem),
  })
  useImperativeHandle(handle, () => ({
    flush: late.flush,
    focusNode(id) {
      reveal(id)
      // A new node is in the page after the next frame.
      requestAnimationFrame(() =>
        root.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.focus(),
      )
    },
  }))
  useClipboard(root, selection, actions, late.flush)

  function onNodesChange(changes: NodeChange<FlowNode>[]): void {
    for (const change of changes)
      if (change.type === 'position' && change.position !== undefined && change.dragging !== undefined)
        late.move(change.id, change.position)
    const drawn = changes.filter(({ type }) => type === 'position' || type === 'dimensions')
    if (drawn.length > 0) setNodes((current) => applyNodeChanges(drawn, current))
    select(changes)
  }

  function select(changes: readonly (NodeChange<FlowNode> | EdgeChange)[]): void {
    const selects = changes.filter((change) => change.type === 'select')
    if (selects.length === 0) return
    const chosen = new Set(pendingSelection.current ?? selection)
    for (const { id, selected } of selects) chosen[selected ? 'add' : 'delete'](id)
    pendingSelection.current = chosen
    onSelect(chosen)
  }
  // Nodes and links report their changes one after the other, before the next render.
  const pendingSelection = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    pendingSelection.current = undefined
  })

  function deleteSelected(): void {
    const isIn = ({ id }: { id: string }) => selection.has(id)
    const links = graph.links.filter(isIn)
    const chosen = graph.nodes.filter(isIn)
    const comment = graph.comments.find(isIn)
    if (links.length > 0) actions?.removeLinks(idsOf(links))
    if (chosen.length > 0) actions?.deleteNodes(idsOf(chosen))
    else if (comment !== undefined) actions?.deleteComment(comment.id)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (isTextInput(event.target) || actions === undefined) return
    const focused =
      event.target instanceof Element ? event.target.closest<HTMLElement>('.react-flow__node') : null
    const mod = event.ctrlKey || event.metaKey
    if (!mod && !event.altKey && keyLink.onKey(event, focused?.dataset.id)) return stop(event)
    const key = event.key.toLowerCase()
    if (key === 'delete' || key === 'backspace') {
      deleteSelected()
      return stop(event)
    }
    if (!mod) return
    if (key === 'z') actions[event.shiftKey ? 'redo' : 'undo']()
    else if (key === 'y') actions.redo()
    else if (key === 'd') actions.duplicate(selection)
    else if (key === 'a') onSelect(idsOf([...graph.nodes, ...(commentsVisible ? graph.comments : [])]))
    else return
    late.flush()
    stop(event)
  }

  function onConnectEnd(event: MouseEvent | TouchEvent, state: FinalConnectionState): void {
    if (state.fromHandle === null || state.isValid === true) return
    if (state.toHandle === null || state.toHandle.type === state.fromHandle.type) {
      const pointer = 'clientX' in event ? event : event.changedTouches[0]
      if (pointer !== undefined && state.from !== null)
        loose.show(state.from, flow.screenToFlowPosition({ x: pointer.clientX, y: pointer.clientY }))
      return
    }
    const isForward = state.fromHandle.type === 'source'
    const [start, end] = isForward ? [state.fromHandle, state.toHandle] : [state.toHandle, state.fromHandle]
    const problem = linkProblem(graph, rules, portOf(start), portOf(end))
    if (problem !== undefined) actions?.reject(problem)
  }

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
    requestAnimationFrame(() => void flow.fitView({ maxZoom: 1 }))
  }

  const context = useMemo(
    () => ({
      editable,
      expanded: comments.expanded,
      toggleComment: comments.toggle,
      changeComment: (comment: CanvasComment) => latest.current?.setComment(comment),
      deleteComment: (id: string) => latest.current?.deleteComment(id),
      linking: keyLink.state?.from,
    }),
    [editable, comments.expanded, comments.toggle, keyLink.state?.from],
  )
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })

  return (
    <CanvasContext value={context}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the nodes inside */}
      <section
        ref={root}
        className={styles.canvas}
        aria-label={label}
        onKeyDownCapture={onKeyDown}
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
          defaultViewport={{ ...initialOffset, zoom: 1 }}
          minZoom={0.1}
          maxZoom={2}
          snapToGrid
          snapGrid={[gridSize, gridSize]}
          zoomOnScroll={false}
          zoomOnPinch={false}
          zoomOnDoubleClick={false}
          zoomActivationKeyCode={null}
          panOnScroll
          selectionMode={SelectionMode.Partial}
          multiSelectionKeyCode={['Meta', 'Control', 'Shift']}
          selectionKeyCode="Shift"
          deleteKeyCode={null}
          disableKeyboardA11y={!editable}
          edgesFocusable={false}
          elevateNodesOnSelect={false}
          nodesConnectable={editable}
          connectOnClick={false}
          connectionRadius={24}
          proOptions={{ hideAttribution: true }}
          onNodesChange={onNodesChange}
          onEdgesChange={select}
          isValidConnection={(connection) =>
            linkProblem(graph, rules, startOf(connection), endOf(connection)) === undefined
          }
          onConnect={(connection) => actions?.link(startOf(connection), endOf(connection))}
          onConnectEnd={onConnectEnd}
          onEdgeContextMenu={(event, edge) => {
            event.preventDefault()
            actions?.removeLinks(new Set([edge.id]))
          }}
        >
          <Background
            variant={BackgroundVariant.Dots}
            gap={gridSize / 2}
            size={1.5}
            color="var(--line-strong)"
          />
          {loose.link === undefined ? null : (
            <ViewportPortal>
              <svg className={styles.loose} data-loose-link aria-hidden="true">
                <path
                  d={`M${loose.link.from.x},${loose.link.from.y} L${loose.link.to.x},${loose.link.to.y}`}
                />
              </svg>
            </ViewportPortal>
          )}
        </ReactFlow>
        {keyLink.state === undefined ? null : (
          <div className={styles.hint} role="status">
            {keyLink.state.from === undefined
              ? 'Choose an output with the arrow keys, then press Enter.'
              : 'Choose an input with the arrow keys, then press Enter. Escape cancels.'}
          </div>
        )}
        {graph.nodes.length + graph.comments.length === 0 ? (
          <div className={styles.empty}>{empty}</div>
        ) : null}
        <CanvasBar
          actions={actions}
          canUndo={canUndo}
          canRedo={canRedo}
          commentsVisible={commentsVisible}
          onLayout={arrange}
          onAddComment={addComment}
        />
      </section>
    </CanvasContext>
  )
}

/** Returns the nodes to draw: those of the graph, at the positions to which the user drags them. */
function useFlowNodes<Data>(
  graph: Graph<Data>,
  contentOf: (node: GraphNode<Data>) => NodeContent,
  selection: ReadonlySet<string>,
  { editable, commentsVisible }: { editable: boolean; commentsVisible: boolean },
) {
  const inputs = [graph, contentOf, selection, editable, commentsVisible] as const
  const [drawn, setDrawn] = useState<{ inputs: readonly unknown[]; nodes: FlowNode[] }>({
    inputs: [],
    nodes: [],
  })
  let { nodes } = drawn
  if (inputs.some((input, at) => input !== drawn.inputs[at])) {
    nodes = flowNodesOf(drawn.nodes, graph, contentOf, selection, { editable, commentsVisible })
    setDrawn({ inputs, nodes })
  }
  return {
    nodes,
    setNodes: (change: (current: FlowNode[]) => FlowNode[]) =>
      setDrawn((current) => ({ ...current, nodes: change(current.nodes) })),
  }
}

/** The comments that are text boxes. While they are collapsed by force, none is. */
function useExpanded(isForced: boolean) {
  const [expanded, setExpanded] = useState(noIds)
  const [toggle] = useState(() => (id: string) => setExpanded((ids) => toggled(ids, id)))
  return { expanded: isForced ? noIds : expanded, toggle }
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

/** A link that was dropped beside every port; it disappears after 100 ms. */
function useLooseLink() {
  const [link, setLink] = useState<{ from: Point; to: Point }>()
  useEffect(() => {
    if (link === undefined) return
    const timer = setTimeout(() => setLink(undefined), looseLinkMs)
    return () => clearTimeout(timer)
  }, [link])
  return { link, show: (from: Point, to: Point) => setLink({ from, to }) }
}

/** Copies, cuts and pastes with the events of the browser, so that other tabs can paste. */
function useClipboard(
  root: React.RefObject<HTMLElement | null>,
  selection: ReadonlySet<string>,
  actions: CanvasActions | undefined,
  flush: () => void,
): void {
  const latest = useRef({ selection, actions })
  useEffect(() => {
    latest.current = { selection, actions }
  })
  useEffect(() => {
    function isHere(event: Event): boolean {
      const target = event.target
      const inside = target instanceof Node && root.current?.contains(target) === true
      return (inside || target === document.body) && !isTextInput(target)
    }
    function onCopy(event: ClipboardEvent): void {
      const { selection: ids, actions: act } = latest.current
      if (act === undefined || !isHere(event) || ids.size === 0) return
      flush()
      event.clipboardData?.setData('text/plain', act.copy(ids))
      event.preventDefault()
      if (event.type === 'cut') act.deleteNodes(ids)
    }
    function onPaste(event: ClipboardEvent): void {
      const { actions: act } = latest.current
      if (act === undefined || !isHere(event)) return
      flush()
      act.paste(event.clipboardData?.getData('text/plain') ?? '')
      event.preventDefault()
    }
    const listeners = { copy: onCopy, cut: onCopy, paste: onPaste }
    for (const [type, listener] of Object.entries(listeners))
      document.addEventListener(type, listener as never)
    return () => {
      for (const [type, listener] of Object.entries(listeners))
        document.removeEventListener(type, listener as never)
    }
  }, [root, flush])
}

function stop(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

function isTextInput(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

function idsOf(items: readonly { id: string }[]): ReadonlySet<string> {
  return new Set(items.map(({ id }) => id))
}

function portOf({ nodeId, id }: { nodeId: string; id?: string | null }): PortRef {
  return { node: nodeId, port: id ?? '' }
}

function startOf({
  source,
  sourceHandle,
}: Pick<Connection, 'source' | 'sourceHandle'> | { source: string; sourceHandle?: string | null }): PortRef {
  return { node: source, port: sourceHandle ?? '' }
}

function endOf({ target, targetHandle }: { target: string; targetHandle?: string | null }): PortRef {
  return { node: target, port: targetHandle ?? '' }
}
