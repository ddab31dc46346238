import { createContext, useContext } from 'react'

/** The product configuration as screens use it. */
export interface Product {
  title: string
  iconUrl: string
  logoUrl: string
  version: string
  sharingEnabled: boolean
  apiKeysEnabled: boolean
  warehouseOnly: boolean
  /** Whether pages that do not work yet are listed, for development. */
  unfinishedPages: boolean
  symbolsFromIndex: boolean
  localBuild: boolean
  environment: string
  /** Whether the configuration has not been read yet. */
  loading: boolean
}

/** What holds until the configuration is read. */
export const defaultProduct: Product = {
  title: '',
  iconUrl: '',
  logoUrl: '',
  version: '',
  sharingEnabled: false,
  apiKeysEnabled: false,
  warehouseOnly: false,
  unfinishedPages: false,
  symbolsFromIndex: false,
  localBuild: false,
  environment: '',
  loading: true,
}

export const ProductContext = createContext<Product>(defaultProduct)

/** The product configuration. */
export function useProductConfig(): Product {
  return useContext(ProductContext)
}
