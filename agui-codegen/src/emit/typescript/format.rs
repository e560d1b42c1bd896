//! Named types for strings with a JSON Schema `format`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::ir::{AgentDecl, DocComment, Type, TypeDecl};

/// Returns `agent` with a named type for each used format in `formats`.
pub(super) fn with_formats<'a>(
    agent: &'a AgentDecl,
    formats: &BTreeMap<String, String>,
) -> Cow<'a, AgentDecl> {
    if formats.is_empty() {
        return Cow::Borrowed(agent);
    }
    let mut agent = agent.clone();
    let mut found: BTreeMap<String, Type> = BTreeMap::new();
    let mut name_texts = |ty: &mut Type| {
        ty.each_mut(&mut |ty| {
            let Type::String(text) = ty else { return };
            if let Some(name) = text.format.as_ref().and_then(|format| formats.get(format)) {
                let named = Type::Ref(name.clone());
                found.insert(name.clone(), std::mem::replace(ty, named));
            }
        });
    };
    agent.types.values_mut().for_each(|decl| name_texts(&mut decl.ty));
    agent.slots_mut().for_each(|slot| name_texts(&mut slot.ty));
    for (name, ty) in found {
        let decl =
            TypeDecl { name: name.clone(), path: None, doc: DocComment::default(), ty, recursive: false };
        agent.types.insert(name, decl);
    }
    agent.types.sort_keys();
    Cow::Owned(agent)
}
