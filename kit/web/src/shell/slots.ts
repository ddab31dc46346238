import { createContext, useContext, useMemo } from 'react'

/** A location on the pages of a feature that later features fill, for example with buttons. */
export interface Slot<Item> {
  /** Name of the location, for people. */
  readonly name: string
  /** Items have this type. */
  readonly itemOf: (item: Item) => SlotItem
}

/** Item that a feature puts into a slot. */
export interface SlotItem {
  /** {@link Slot.name} of the slot to fill. */
  readonly slotName: string
  /** Item of the type that the slot expects. */
  readonly item: unknown
}

/** Creates a slot. Names are unique in the application. */
export function createSlot<Item>(name: string): Slot<Item> {
  return { name, itemOf: (item) => ({ slotName: name, item }) }
}

/** The items of all slots, in the order of the features; the application provides them. */
export const SlotItemsContext = createContext<readonly SlotItem[]>([])

/** Returns the items that later features put into a slot, in the order of the features. */
export function useSlot<Item>({ name }: Slot<Item>): readonly Item[] {
  const items = useContext(SlotItemsContext)
  return useMemo(
    () => items.filter(({ slotName }) => slotName === name).map(({ item }) => item as Item),
    [items, name],
  )
}
