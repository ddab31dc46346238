import { useState } from 'react'
import { type Graph, linkProblem, type LinkRules, type PortRef } from '../graph.ts'

/** A port that the user tapped. */
export interface TappedPort extends PortRef {
  side: 'in' | 'out'
}

/**
 * Links ports without a drag: the user taps an output and an input, in any order. A second tap on the same port cancels. A
 * tap on another port of the same side starts again from that port.
 */
export function useTapLink<Data>(
  graph: Graph<Data>,
  rules: LinkRules<Data>,
  { onLink, onReject }: { onLink: (from: PortRef, to: PortRef) => void; onReject: (problem: string) => void },
) {
  const [first, setFirst] = useState<TappedPort>()

  function tap(port: TappedPort): void {
    if (first === undefined || first.side === port.side) {
      const isSame = first?.node === port.node && first.port === port.port
      return setFirst(isSame ? undefined : port)
    }
    setFirst(undefined)
    const [from, to] = first.side === 'out' ? [first, port] : [port, first]
    const problem = linkProblem(graph, rules, from, to)
    if (problem === undefined) onLink(portOf(from), portOf(to))
    else onReject(problem)
  }

  const cancel = () => setFirst(undefined)

  /** Handles a key. Returns whether it cancelled a link. */
  function onKey({ key }: { key: string }): boolean {
    if (first === undefined || key !== 'Escape') return false
    cancel()
    return true
  }

  return { first, tap, cancel, onKey }
}

function portOf({ node, port }: PortRef): PortRef {
  return { node, port }
}
