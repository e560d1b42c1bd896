export {}; //!types
//+types

{{doc}}
export type {{name}} ={{body}}; //!brand
//+brand
export type {{name}} ={{body}} & { readonly "~brand": {{.}} };
/** A value as a `{{name}}`. */
export const {{name}} = (value:{{body}}): {{name}} => value as {{name}};
//-brand
//+values
/** Every `{{name}}`. */
export const {{list}} = [{{values}}] as const satisfies readonly {{name}}[];
//-values
//-types
