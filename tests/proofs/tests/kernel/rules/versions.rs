//! Clients of earlier versions of the protocol.

use agui_runtime::protocol::{
    Event, ProtocolVersion, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, ReasoningMessage,
};

use super::super::machine::RunKernel;
use super::super::span::ROOT;
use super::super::{Clock, Ids, Peer};
use super::input;

/// A client gets no member that its version does not have, and RUN_STARTED declares its version.
pub fn later_members() {
    for (peer, declared, typed) in [
        (Peer::Legacy, "1.0", false),
        (Peer::Speaks(ProtocolVersion::V1_0), "1.0", false),
        (Peer::CURRENT, "1.1", true),
    ] {
        let mut k = RunKernel::new(&input(), Ids::fixed("k"), Clock::silent(), peer);
        k.start(&input(), None);
        let Some(Event::RunStarted(started)) = k.queue.pop_front() else { panic!("the run starts") };
        assert_eq!(started.protocol_version.as_deref(), Some(declared), "{peer:?}");
        assert!(!k.has_lost(), "{peer:?}: a declaration is no content");

        let thought =
            ReasoningMessage::new("r", "Hm.").with_encrypted_value("x").with_encrypted_value_type("t");
        let lone = ReasoningMessage::new("lone", "So.").with_encrypted_value_type("t");
        assert!(k.restate(ROOT, vec![thought.into(), lone.into()], None).is_ok());
        let Some(Event::MessagesSnapshot(snapshot)) = k.queue.pop_front() else { panic!("a snapshot") };
        assert_eq!(snapshot.messages[1], ReasoningMessage::new("lone", "So.").into(), "a type needs a value");
        let left = snapshot.messages[0].encrypted().unwrap();
        assert_eq!((left.value.as_str(), left.value_type.is_some()), ("x", typed), "{peer:?}");

        let of_message = ReasoningEncryptedValueSubtype::Message;
        let value = ReasoningEncryptedValueEvent::new(of_message, "r", "y").with_encrypted_value_type("t");
        k.encrypt(ROOT, value, None);
        let Some(Event::ReasoningEncryptedValue(sent)) = k.queue.pop_front() else { panic!("a value") };
        assert_eq!(
            (sent.encrypted_value.as_str(), sent.encrypted_value_type.is_some()),
            ("y", typed),
            "{peer:?}"
        );

        assert_eq!(k.has_lost(), !typed, "{peer:?}");
        assert_eq!(k.take_lost().members, if typed { 0 } else { 2 }, "{peer:?}");
    }
}
