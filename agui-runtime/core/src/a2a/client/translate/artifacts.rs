//! A task's artifacts, whole, and their display as activities.

use std::collections::HashMap;

use crate::a2a::wire::{A2aArtifact, A2aPart};

/// All artifacts, in order of arrival.
#[derive(Default)]
pub(super) struct TaskArtifacts {
    pub(super) all: Vec<A2aArtifact>,
    places: HashMap<String, ArtifactDisplay>,
}

/// An artifact's display state.
struct ArtifactDisplay {
    at: usize,
    /// True if the artifact has files or data, so that an activity shows it.
    has_data: bool,
    /// True if the artifact changed since the activity was last sent.
    is_changed: bool,
    /// The number of parts in the activity.
    parts: usize,
}

impl TaskArtifacts {
    /// Stores an artifact. Returns false if the artifact is unchanged.
    pub(super) fn keep(&mut self, artifact: A2aArtifact, append: bool) -> bool {
        let has_data = artifact.parts.iter().any(|part| part.as_text().is_none());
        let Some(place) = self.places.get_mut(&artifact.artifact_id) else {
            let place = ArtifactDisplay { at: self.all.len(), has_data, is_changed: true, parts: 0 };
            self.places.insert(artifact.artifact_id.clone(), place);
            self.all.push(artifact);
            return true;
        };
        let Some(known) = self.all.get_mut(place.at) else { return false };
        if append {
            place.has_data |= has_data;
            join(&mut known.parts, artifact.parts);
        } else if *known == artifact {
            return false;
        } else {
            (place.has_data, place.parts) = (has_data, 0);
            *known = artifact;
        }
        place.is_changed = true;
        true
    }

    /// Returns an artifact with files or data whose activity is due: at the artifact's end, and whenever the part count has
    /// doubled. Sending each chunk would cost the square of the length.
    pub(super) fn due(&mut self, id: &str, is_last: bool) -> Option<&A2aArtifact> {
        let place = self.places.get_mut(id).filter(|place| place.has_data && place.is_changed)?;
        let artifact = self.all.get(place.at)?;
        let count = artifact.parts.len();
        if !is_last && count < 2 * place.parts {
            return None;
        }
        (place.is_changed, place.parts) = (false, count);
        Some(artifact)
    }

    pub(super) fn ids(&self) -> Vec<String> {
        self.all.iter().map(|artifact| artifact.artifact_id.clone()).collect()
    }
}

/// Appends parts, and joins the chunks of a text, which arrive as separate parts.
fn join(parts: &mut Vec<A2aPart>, more: Vec<A2aPart>) {
    use crate::a2a::wire::A2aPartContent::Text;

    for part in more {
        if let (
            Some(A2aPart { content: Text(text), metadata: None, .. }),
            A2aPart { content: Text(more), metadata: None, .. },
        ) = (parts.last_mut(), &part)
        {
            text.push_str(more);
        } else {
            parts.push(part);
        }
    }
}
