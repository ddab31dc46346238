import { type RefObject, useEffect, useState } from 'react'
import { focusWhenDrawn } from './use-select.ts'
import { type Graph, type GraphNode, linkProblem, type LinkRules, type Port, type PortRef } from '../graph.ts'

interface Choice extends PortRef {
  side: 'in' | 'out'
}

interface State {
  /** Chosen output; undefined while the user is choosing it. */
  from: PortRef | undefined
  choices: readonly Choice[]
  index: number
}

/**
 * Links ports by keyboard: the user presses L on a node, chooses an output with the arrow keys and Enter, then a matching
 * input in the same way. Escape cancels. The chosen port has the focus, so that screen readers announce it.
 */
export function useKeyLink<Data>(
  root: RefObject<HTMLElement | null>,
  graph: Graph<Data>,
  rules: LinkRules<Data>,
  {
    reveal,
    onLink,
    onReject,
  }: {
    /** Moves the canvas so that a node is visible. */
    reveal: (node: string) => void
    onLink: (from: PortRef, to: PortRef) => void
    onReject: (problem: string) => void
  },
) {
  const [state, setState] = useState<State>()
  const chosen = state?.choices[state.index]
  useEffect(() => {
    if (chosen === undefined) return
    reveal(chosen.node)
    focusWhenDrawn(() => portElement(root.current, chosen))
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [chosen, root])

  function end(node: string | undefined): void {
    setState(undefined)
    if (node === undefined) return
    focusWhenDrawn(() => nodeElement(root.current, node))
  }

  function chooseInput(from: PortRef): void {
    const choices = inputsFor(graph, rules, from)
    if (choices.length > 0) return setState({ from, choices, index: 0 })
    const { portsOf } = rules
    const source = graph.nodes.find(({ id }) => id === from.node)
    const type = source && portsOf(source).find(({ id, side }) => side === 'out' && id === from.port)?.type
    onReject(`No free input takes ${type ?? 'this output'}. Add a node with such an input, or remove a link.`)
    end(from.node)
  }

  /** Handles a key. Returns whether it was a key for linking ports. */
  function onKey(event: { key: string }, focused: string | undefined): boolean {
    if (state === undefined) {
      const node = graph.nodes.find(({ id }) => id === focused)
      if (node === undefined || event.key.toLowerCase() !== 'l') return false
      const choices = portsOn(node, rules.portsOf(node), 'out')
      if (choices.length === 0) onReject(`“${node.label}” has no outputs.`)
      else setState({ from: undefined, choices, index: 0 })
      return true
    }
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    if (step !== undefined) {
      const { length } = state.choices
      setState({ ...state, index: (state.index + step + length) % length })
      return true
    }
    if (event.key === 'Escape') {
      end(state.from?.node ?? chosen?.node)
      return true
    }
    if (event.key !== 'Enter' || chosen === undefined) return false
    if (state.from === undefined) chooseInput(chosen)
    else {
      onLink(state.from, { node: chosen.node, port: chosen.port })
      end(state.from.node)
    }
    return true
  }

  return { state, onKey, cancel: () => setState(undefined) }
}

function portsOn<Data>(
  { id }: GraphNode<Data>,
  ports: readonly Port[],
  side: 'in' | 'out',
): readonly Choice[] {
  // Order ports come last, because users link values more often.
  const sorted = ports
    .filter((port) => port.side === side)
    .toSorted((a, b) => Number(a.isOrder === true) - Number(b.isOrder === true))
  return sorted.map((port) => ({ node: id, port: port.id, side }))
}

function inputsFor<Data>(graph: Graph<Data>, rules: LinkRules<Data>, from: PortRef): readonly Choice[] {
  return graph.nodes
    .flatMap((node) => portsOn(node, rules.portsOf(node), 'in'))
    .filter((to) => linkProblem(graph, rules, from, to) === undefined)
}

function portElement(root: HTMLElement | null, { side, node, port }: Choice): HTMLElement | null {
  return root?.querySelector(`[data-port="${CSS.escape(JSON.stringify([side, node, port]))}"]`) ?? null
}

/** Returns the element of a node; null while it is not rendered. */
export function nodeElement(root: HTMLElement | null, id: string): HTMLElement | null {
  return root?.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`) ?? null
}
