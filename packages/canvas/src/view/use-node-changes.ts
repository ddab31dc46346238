import { useState } from 'react'
import { applyNodeChanges, type NodeChange, useStoreApi } from '@xyflow/react'
import { createDragLayer } from './drag-layer.ts'
import type { FlowNode } from './flow-nodes.ts'
import type { useFlowNodes } from './use-flow-nodes.ts'
import type { useLateMoves } from './use-late-moves.ts'
import type { useSelect } from './use-select.ts'

/** Returns a function that applies movements, sizes and selections of nodes, and the layer of dragged nodes. */
export function useNodeChanges(
  late: ReturnType<typeof useLateMoves>,
  setNodes: ReturnType<typeof useFlowNodes>['setNodes'],
  select: ReturnType<typeof useSelect>,
) {
  const store = useStoreApi<FlowNode>()
  const [dragLayer] = useState(() => createDragLayer(store))
  function onNodesChange(changes: NodeChange<FlowNode>[]): void {
    late.move(
      changes.flatMap((change) =>
        change.type === 'position' && change.position !== undefined && change.dragging !== undefined
          ? [[change.id, change.position] as const]
          : [],
      ),
    )
    if (dragLayer.move(changes)) return
    const drawn = changes.filter(({ type }) => type === 'position' || type === 'dimensions')
    if (drawn.length > 0) setNodes((current) => applyNodeChanges(drawn, current))
    select(changes)
  }
  return { dragLayer, onNodesChange }
}
