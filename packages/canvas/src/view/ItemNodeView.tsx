import { type CSSProperties, memo, type MouseEvent, useContext } from 'react'
import { Handle, type NodeProps, Position, useStore } from '@xyflow/react'
import type { Port, PortRef } from '../graph.ts'
import { CanvasContext } from './canvas-context.ts'
import type { ItemNode as FlowItem } from './flow-nodes.ts'
import styles from './Canvas.module.css'

/** Below this zoom level, ports are too small to use, and nodes show only their names. */
export const simpleBelow = 0.5

/**
 * A node with its ports. Compares only the properties that it uses, because a drag changes other properties of each
 * moved node in every frame.
 */
export const ItemNodeView = memo(ItemNode, (a, b) => a.id === b.id && a.data === b.data)

function ItemNode({ id, data }: NodeProps<FlowItem>) {
  const { label } = data.node
  const isSimple = useStore(({ transform }) => transform[2] < simpleBelow)
  const { ports, subtitle, icon, badge, color } = data.content
  const isInHead = ({ isOrder = false, isNamed = false }: Port) => isOrder && !isNamed
  const order = ports.filter(isInHead)
  const rows = ports.filter((port) => !isInHead(port))
  const inputs = rows.filter(({ side }) => side === 'in')
  const outputs = rows.filter(({ side }) => side === 'out')
  const look = { '--node-color': color ?? 'var(--line-strong)' } as CSSProperties
  if (isSimple)
    return (
      <div className={styles.node} style={look} data-simple>
        <span className={styles.label}>{label}</span>
      </div>
    )
  return (
    <div className={styles.node} style={look}>
      <div className={styles.head}>
        {icon === undefined ? null : <span className={styles.icon}>{icon}</span>}
        <span className={styles.label} title={label}>
          {label}
        </span>
        {badge}
        {order.map((port) => (
          <PortView key={port.side} node={id} port={port} />
        ))}
      </div>
      <div className={styles.subtitle} title={subtitle}>
        {subtitle}
      </div>
      {inputs.length + outputs.length === 0 ? null : (
        <div className={styles.ports}>
          <div>
            {inputs.map((port) => (
              <PortView key={port.id} node={id} port={port} />
            ))}
          </div>
          <div className={styles.outputs}>
            {outputs.map((port) => (
              <PortView key={port.id} node={id} port={port} />
            ))}
          </div>
        </div>
      )}
    </div>
  )
}

function PortView({ node, port }: { node: string; port: Port }) {
  const { editable, linking, tapped, tapPort } = useContext(CanvasContext)
  const isHere = (other: PortRef | undefined) => other?.node === node && other.port === port.id
  const isStart = port.side === 'out' && isHere(linking)
  const isTapped = port.side === tapped?.side && isHere(tapped)
  const what = port.isOrder === true ? port.label : `${port.label}, ${port.type}`
  function onClick(event: MouseEvent): void {
    if (!editable || !isOnPort(event)) return
    // Otherwise the click would also select the node.
    event.stopPropagation()
    tapPort({ side: port.side, node, port: port.id })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys link ports through the canvas
    <div
      className={port.isOrder === true && port.isNamed !== true ? styles.orderPort : styles.port}
      data-side={port.side}
      data-linking={isStart || isTapped || undefined}
      data-port={JSON.stringify([port.side, node, port.id])}
      role="button"
      tabIndex={-1}
      aria-label={`${port.side === 'in' ? 'Input' : 'Output'} ${what}`}
      title={what}
      onClick={onClick}
    >
      {port.isOrder === true && port.isNamed !== true ? null : (
        <span className={styles.portLabel}>{port.label}</span>
      )}
      <Handle
        id={port.id}
        type={port.side === 'in' ? 'target' : 'source'}
        position={port.side === 'in' ? Position.Left : Position.Right}
        className={port.isOrder === true ? styles.orderHandle : styles.handle}
      />
    </div>
  )
}

/** Returns whether a click hits a port. A finger can also hit its label, the mouse only its circle. */
function isOnPort({ target, nativeEvent }: MouseEvent): boolean {
  const isTouch = 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch'
  return isTouch || (target instanceof Element && target.closest('.react-flow__handle') !== null)
}
