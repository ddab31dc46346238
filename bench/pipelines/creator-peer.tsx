// The peer of the creator: a plain page with the same nodes and links, as the documentation of React Flow shows it.
import { memo, useCallback } from 'react'
import { createRoot } from 'react-dom/client'
import {
  addEdge,
  Background,
  type Connection,
  Controls,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useEdgesState,
  useNodesState,
} from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import { graphTasks, inputNames } from './creator-graph.ts'

const tasks = graphTasks(500)
const initialNodes = tasks.map(({ id, label, position }): Node => ({
  id,
  type: 'task',
  position,
  data: { label },
}))
const initialEdges = tasks.flatMap(({ id, from, after }) => [
  ...(from === undefined
    ? []
    : [{ id: `${from} ${id}`, source: from, sourceHandle: 'Out', target: id, targetHandle: 'In' }]),
  ...after.map((source) => ({
    id: `${source}-${id}`,
    source,
    sourceHandle: 'order',
    target: id,
    targetHandle: 'order',
  })),
])

const Task = memo(function Task({ data }: NodeProps) {
  return (
    <div style={{ width: 200, padding: 10, border: '1px solid #999', borderRadius: 8, background: '#fff' }}>
      <b>{String(data.label)}</b>
      <div>Takes</div>
      <Handle id="order" type="target" position={Position.Left} style={{ top: 20 }} />
      <Handle id="order" type="source" position={Position.Right} style={{ top: 20 }} />
      {inputNames.map((name, at) => (
        <div key={name}>
          {name}
          <Handle id={name} type="target" position={Position.Left} style={{ top: 60 + at * 17 }} />
        </div>
      ))}
      <Handle id="Out" type="source" position={Position.Right} style={{ top: 60 }} />
    </div>
  )
})
const nodeTypes = { task: Task }

function App() {
  const [nodes, , onNodesChange] = useNodesState(initialNodes)
  const [edges, setEdges, onEdgesChange] = useEdgesState(initialEdges)
  const onConnect = useCallback(
    (connection: Connection) => setEdges((current) => addEdge(connection, current)),
    [setEdges],
  )
  return (
    <div style={{ width: '100vw', height: '100vh' }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onConnect={onConnect}
        panOnScroll
        minZoom={0.1}
        snapToGrid
        snapGrid={[64, 64]}
      >
        <Background />
        <Controls />
      </ReactFlow>
    </div>
  )
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<App />)
