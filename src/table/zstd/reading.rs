//! The part of the library's interface that a module for browsers is compiled with. What compresses fails:
//! nothing in a module calls it.

/// What compresses does not exist.
#[derive(Debug)]
pub(crate) enum Never {}

/// The error of what compresses.
fn unsupported<T>() -> std::io::Result<T> {
    Err(std::io::ErrorKind::Unsupported.into())
}

pub(crate) mod bulk {
    use std::io;
    use std::marker::PhantomData;

    use super::dict::{DecoderDictionary, EncoderDictionary};
    use super::zstd_safe::CParameter;
    use super::{Never, unsupported};
    use crate::table::zstd::decompress::decompress;

    pub(crate) struct Compressor<'d>(Never, PhantomData<&'d ()>);

    impl<'d> Compressor<'d> {
        pub(crate) fn new(_: i32) -> io::Result<Compressor<'static>> {
            unsupported()
        }

        pub(crate) fn compress(&mut self, _: &[u8]) -> io::Result<Vec<u8>> {
            match self.0 {}
        }

        pub(crate) fn compress_to_buffer(
            &mut self,
            _: &[u8],
            _: &mut Vec<u8>,
        ) -> io::Result<usize> {
            match self.0 {}
        }

        pub(crate) fn set_parameter(&mut self, _: CParameter) -> io::Result<()> {
            match self.0 {}
        }

        pub(crate) fn set_prepared_dictionary(
            &mut self,
            _: &'d EncoderDictionary<'_>,
        ) -> io::Result<()> {
            match self.0 {}
        }
    }

    pub(crate) struct Decompressor<'d>(&'d [u8]);

    impl<'d> Decompressor<'d> {
        pub(crate) fn new() -> io::Result<Decompressor<'static>> {
            Ok(Decompressor(&[]))
        }

        pub(crate) fn with_prepared_dictionary(
            dictionary: &'d DecoderDictionary<'_>,
        ) -> io::Result<Decompressor<'d>> {
            Ok(Decompressor(&dictionary.0))
        }

        pub(crate) fn decompress(&mut self, frame: &[u8], most: usize) -> io::Result<Vec<u8>> {
            decompress(frame, self.0, most)
        }
    }

    pub(crate) fn compress(_: &[u8], _: i32) -> io::Result<Vec<u8>> {
        unsupported()
    }

    pub(crate) fn decompress_to_buffer(frame: &[u8], to: &mut [u8]) -> io::Result<usize> {
        let bytes = decompress(frame, &[], to.len())?;
        to[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

pub(crate) mod dict {
    use std::io;
    use std::marker::PhantomData;

    use super::{Never, unsupported};

    pub(crate) struct EncoderDictionary<'d>(Never, PhantomData<&'d ()>);

    impl<'d> EncoderDictionary<'d> {
        pub(crate) fn try_new(_: &'d [u8], _: i32) -> io::Result<EncoderDictionary<'d>> {
            unsupported()
        }
    }

    // As the library's, which frees memory.
    impl Drop for EncoderDictionary<'_> {
        fn drop(&mut self) {}
    }

    pub(crate) struct DecoderDictionary<'d>(pub(super) Vec<u8>, PhantomData<&'d ()>);

    impl DecoderDictionary<'static> {
        pub(crate) fn try_copy(content: &[u8]) -> io::Result<DecoderDictionary<'static>> {
            Ok(DecoderDictionary(content.to_vec(), PhantomData))
        }
    }
}

pub(crate) mod stream {
    pub(crate) struct Decoder;

    impl Decoder {
        pub(crate) fn with_buffer(frame: &[u8]) -> std::io::Result<impl std::io::Read> {
            ruzstd::decoding::StreamingDecoder::new(frame).map_err(std::io::Error::other)
        }
    }
}

pub(crate) mod zstd_safe {
    /// The length that a frame says is not looked at: one thread decodes at a time.
    pub(crate) fn get_frame_content_size(_: &[u8]) -> Result<Option<u64>, ()> {
        Ok(None)
    }

    pub(crate) fn compress_bound(length: usize) -> usize {
        length + (length >> 8) + 64
    }

    pub(crate) enum CParameter {
        Strategy(Strategy),
        MinMatch(u32),
        SearchLog(u32),
        TargetLength(u32),
        HashLog(u32),
        ChainLog(u32),
        ForceAttachDict(DictAttachPref),
    }

    pub(crate) enum DictAttachPref {
        ForceAttach,
    }

    #[expect(non_camel_case_types, reason = "the names of the library")]
    pub(crate) enum Strategy {
        ZSTD_btopt,
        ZSTD_btultra,
        ZSTD_btultra2,
    }
}
